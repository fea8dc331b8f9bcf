"""Structured SSA back to syntax trees."""
