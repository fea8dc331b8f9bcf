"""What a program reads of Python objects while it is lowered: noted, checked again, found by other processes."""
