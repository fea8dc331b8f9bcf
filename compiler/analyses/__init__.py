"""Facts about a program: pure functions of the IR."""
