"""Differentials of SciPy's distributions."""
