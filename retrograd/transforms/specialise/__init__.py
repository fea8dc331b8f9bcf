"""One compiled text per function and argument types, kept and found again."""
