"""The back end for the device: kernels of CuPy's, and the Python that launches them."""
