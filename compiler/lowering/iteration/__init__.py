"""The iterables of `for` loops."""
