"""Typed loops over buffers: what kernels are made of."""
