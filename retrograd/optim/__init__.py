"""``retrograd.optim``: steps along gradients."""

from __future__ import annotations

from typing import Any

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.nn.optimizers import SGD, Adam
from retrograd.runtime.eager.sparse.optimizers import Adagrad, SparseAdam
from retrograd.scope import missing

__all__ = ["SGD", "Adagrad", "Adam", "SparseAdam"]


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
