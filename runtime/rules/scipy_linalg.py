"""Differentials of SciPy's linear algebra."""
