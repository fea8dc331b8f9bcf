"""Differentials of SciPy's sparse matrices."""
