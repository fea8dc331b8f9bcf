"""What CuPy's wheel answers without a device, written down, and how it was asked."""
