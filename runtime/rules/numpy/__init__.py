"""Differentials of NumPy and of Python arithmetic, a family per file."""
