"""Functions of NumPy and SciPy as programs of what kernels know."""
