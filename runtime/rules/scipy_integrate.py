"""Differentials of SciPy's integrals."""
