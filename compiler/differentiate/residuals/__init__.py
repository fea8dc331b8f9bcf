"""Residuals: values the backward sweep reads, stored, recomputed or checkpointed."""
