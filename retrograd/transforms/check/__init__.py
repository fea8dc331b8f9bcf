"""A derivative is checked at birth: before its first result is handed over, it is held against its function."""
