"""Helpers of the rules for SciPy."""
