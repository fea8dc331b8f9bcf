"""Differentials of SciPy's transforms."""
