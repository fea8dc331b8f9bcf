"""Modules written by `make rules`."""
