"""Copies elided and buffers reused."""
