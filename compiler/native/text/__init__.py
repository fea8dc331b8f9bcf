"""Analyses of the emitted text that the reader and the partition share."""
