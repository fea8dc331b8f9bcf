"""``retrograd.optim``: steps along gradients."""

from __future__ import annotations

from retrograd.runtime.eager.nn.optimizers import SGD, Adam

__all__ = ["SGD", "Adam"]
