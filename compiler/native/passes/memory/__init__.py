"""Buffers that become smaller, registers, or nothing."""
