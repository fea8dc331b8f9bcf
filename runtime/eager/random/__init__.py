"""Random numbers and distributions of tensors."""
