"""Sums: recognised, blocked, carried, deferred."""
