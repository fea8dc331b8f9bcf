"""Algebra on single operations, applied whenever one is built."""
