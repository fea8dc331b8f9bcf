"""Differentials of SciPy's image filters."""
