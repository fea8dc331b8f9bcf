"""Programs compiled for CuPy's arrays, on the double."""
