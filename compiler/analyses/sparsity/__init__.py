"""Sparsity of Jacobians: which entries of the results depend on which entries of the arguments."""
