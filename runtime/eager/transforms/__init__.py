"""Functions of functions of tensors: `vmap`, `jvp`, gradcheck."""
