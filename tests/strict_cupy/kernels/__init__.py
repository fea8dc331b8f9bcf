"""Kernels of users: their CUDA is compiled with the host's C++ compiler, as a loop."""
