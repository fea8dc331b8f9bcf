"""Calls of which nothing is kept but the arguments: they are run again on the way back."""
