"""``retrograd.nn.parameter``: tensors that are the parameters of a model."""

from __future__ import annotations

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.nn.parameter import Parameter

__all__ = ["Parameter"]
