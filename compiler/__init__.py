"""A Python function in, the text of its derivative out."""
