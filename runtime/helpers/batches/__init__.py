"""Batches of examples: containers of arrays with one more axis, the first."""
