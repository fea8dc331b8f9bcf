"""`rg.distributed`: shards, workers of every kind, and what happens when they are lost."""
