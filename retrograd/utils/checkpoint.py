"""``retrograd.utils.checkpoint``: results whose intermediate values are computed again on the way back."""

from __future__ import annotations

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.transforms.checkpoint import (
    CheckpointError,
    checkpoint,
    checkpoint_sequential,
)

__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential"]
