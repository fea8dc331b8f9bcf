"""The graph that tensors record, and what runs it back."""
