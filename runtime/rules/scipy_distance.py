"""Differentials of SciPy's distances."""
