"""Branches, loops, comprehensions, `match`, `try` and `with`."""
