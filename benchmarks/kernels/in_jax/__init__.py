"""The same losses as their users write them in JAX: nothing is written in place, loops are `fori_loop` and `scan`."""
