"""Neural network functions, parameters and optimizers."""
