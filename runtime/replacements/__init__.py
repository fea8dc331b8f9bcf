"""SciPy's functions as NumPy programs that can be differentiated."""
