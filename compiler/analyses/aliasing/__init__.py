"""Which values may share memory, and in which order they are read and written."""
