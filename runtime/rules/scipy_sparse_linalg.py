"""Differentials of SciPy's sparse solvers."""
