"""NumPy's functions as loops, a family per file."""
