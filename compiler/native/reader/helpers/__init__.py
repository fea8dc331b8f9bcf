"""Helpers of the runtime as loops, where their own text is beyond the reader, or slow."""
