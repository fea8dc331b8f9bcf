"""Recomputation: the marks a user sets, and the schedule of states that are kept."""
