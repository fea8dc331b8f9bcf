"""Syntax trees as readable source."""
