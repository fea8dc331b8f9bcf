"""What the backward sweep needs of the forward sweep: kept, recomputed, or checkpointed."""
