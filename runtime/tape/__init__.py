"""Reverse and forward mode while a function runs."""
