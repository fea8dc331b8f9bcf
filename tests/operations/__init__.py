"""Every operation a numerical program may call, one row each, and what becomes of its derivative."""
