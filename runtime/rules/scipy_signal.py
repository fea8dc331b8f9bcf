"""Differentials of SciPy's signal processing."""
