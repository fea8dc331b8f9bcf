"""Writes the generated modules of the runtime from the rule book."""
