"""Pullbacks on a compiled back end."""
