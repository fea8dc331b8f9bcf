"""Optimisations of the loop IR."""
