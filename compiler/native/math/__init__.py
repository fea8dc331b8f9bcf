"""Elementary functions for kernels, written once for both back ends."""
