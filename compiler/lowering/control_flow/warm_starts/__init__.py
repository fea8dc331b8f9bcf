"""What an attempt at a loop has found out, for the next one to begin with."""
