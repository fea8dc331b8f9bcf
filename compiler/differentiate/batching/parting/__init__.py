"""Loops that examples leave at several iterations: which of them go on with those that are not done, and how."""
