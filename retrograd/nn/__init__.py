"""``retrograd.nn``: parameters, and the functions of neural networks in `functional`."""

from __future__ import annotations

from retrograd.nn import functional, parameter
from retrograd.nn.parameter import Parameter

__all__ = ["Parameter", "functional", "parameter"]
