"""Many directions in one sweep: a batching rule per operation."""
