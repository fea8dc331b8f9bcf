"""Tensors: NumPy arrays that remember how they were made."""
