"""Twenty functions of the kinds that people write, each with the gradient that a person would write for it."""
