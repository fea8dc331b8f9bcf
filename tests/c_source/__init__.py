"""Derivatives in C: compiled without warnings, and held against the Python that they are read from."""
