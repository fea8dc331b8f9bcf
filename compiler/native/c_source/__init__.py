"""A derivative as a C99 file that people read, and its header: for programs without Python."""
