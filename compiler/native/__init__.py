"""Compiled back ends: the emitted text as typed loops, printed as C or for numba."""
