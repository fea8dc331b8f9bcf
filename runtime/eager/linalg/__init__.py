"""Products and linear algebra of tensors."""
