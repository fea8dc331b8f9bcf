"""Writes in place, copies elided, buffers reused."""
