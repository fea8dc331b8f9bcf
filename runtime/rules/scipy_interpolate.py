"""Differentials of SciPy's interpolation."""
