"""From a program to its derivative: forward and reverse mode."""
