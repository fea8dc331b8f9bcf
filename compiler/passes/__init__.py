"""Rewrites of the IR, one per file."""
