"""Random programs for the compiled back ends, of every kind that kernels take: ``python -m tests.fuzz.kernels``."""
