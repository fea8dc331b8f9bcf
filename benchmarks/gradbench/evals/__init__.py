"""The evals: plain NumPy, a module each; ``FUNCTIONS`` has the functions that GradBench asks for."""
