"""The user's own `Function` classes."""
