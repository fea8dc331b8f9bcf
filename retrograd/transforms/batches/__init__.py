"""Batches of examples: along which axes of the arguments they are, and how they are computed one after the other."""
