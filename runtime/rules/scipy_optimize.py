"""Differentials of SciPy's solvers."""
