"""The user's functions: argument checks, custom derivatives, batches."""
