"""``retrograd.nn.parameter``: tensors that are the parameters of a model."""

from __future__ import annotations

from retrograd.runtime.eager.nn.parameter import Parameter

__all__ = ["Parameter"]
