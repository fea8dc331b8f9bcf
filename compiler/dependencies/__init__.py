"""The Python objects a program reads while it is lowered: recorded, rechecked, found again by other processes."""
