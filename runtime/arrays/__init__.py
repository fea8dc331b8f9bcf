"""The libraries of arrays, NumPy and CuPy: whose an array is, and what this package's functions call on each."""
