"""Sparse tensors of coordinates and values (COO): gradients of tables of which few rows are read."""
