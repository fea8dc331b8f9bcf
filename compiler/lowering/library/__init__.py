"""Calls of NumPy and SciPy that are lowered in a way of their own."""
