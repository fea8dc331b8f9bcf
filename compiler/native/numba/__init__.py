"""The numba back end."""
