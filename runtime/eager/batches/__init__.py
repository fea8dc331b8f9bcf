"""Functions of one example that run once for a whole batch: what is recorded at the borders of the batch."""
