"""Generates the modules of the runtime that are derived from the rule book."""
