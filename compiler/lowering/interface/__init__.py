"""Protocols by which the parts of the lowerer know each other: no part imports another."""
