"""What generated code says to and about the user's functions."""
