"""``retrograd.optim``: steps along gradients."""

from __future__ import annotations

from retrograd.runtime.tensor.optimizers import SGD, Adam

__all__ = ["SGD", "Adam"]
