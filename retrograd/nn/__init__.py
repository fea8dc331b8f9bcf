"""``retrograd.nn``: parameters, and the functions of neural networks in `functional`."""

from __future__ import annotations

from retrograd.nn import functional
from retrograd.runtime.eager.nn.parameter import Parameter

__all__ = ["Parameter", "functional"]
