"""Which statements of a text run as kernels, and which stay NumPy."""
