"""``retrograd.nn``: parameters, and the functions of neural networks in `functional`."""

from __future__ import annotations

from typing import Any

from retrograd.nn import functional, parameter
from retrograd.nn.parameter import Parameter
from retrograd.scope import missing

__all__ = ["Parameter", "functional", "parameter"]


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
