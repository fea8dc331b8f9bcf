"""Differentials of SciPy, a family per file, each registered once its module is imported."""
