"""Structured SSA: operations, types, containers, and the laws they obey."""
