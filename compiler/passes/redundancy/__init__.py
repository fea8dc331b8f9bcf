"""Redundant and dead computation removed."""
