"""Loops and their tapes."""
