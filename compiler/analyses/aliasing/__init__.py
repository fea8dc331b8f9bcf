"""Memory: which values may share it, and in which order they are read and written."""
