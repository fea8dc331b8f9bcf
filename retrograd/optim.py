"""``retrograd.optim``: steps along gradients."""

from __future__ import annotations

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.nn.optimizers import SGD, Adagrad, Adam, SparseAdam

__all__ = ["SGD", "Adagrad", "Adam", "SparseAdam"]
