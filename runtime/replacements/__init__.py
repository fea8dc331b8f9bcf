"""Functions of SciPy and Bottleneck as NumPy programs that can be differentiated."""
