"""Facts about a program: pure functions from the IR."""
