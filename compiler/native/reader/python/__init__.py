"""Python's own part of the text: expressions, statements, calls, built-in functions."""
