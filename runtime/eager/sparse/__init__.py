"""Tensors of which only some entries are kept: the gradients of tables that are looked up in."""
