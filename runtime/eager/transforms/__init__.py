"""Functions of functions of tensors: `vmap`, `jvp`, checkpoints, gradcheck."""
