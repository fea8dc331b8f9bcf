"""retrograd: gradients you can read."""
