"""The class of tensors and what makes them, for this package, which `tensor` needs itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["makers"]


class Makers:
    """`tensor.tensor` enters them when it is imported."""

    __slots__ = ("Tensor", "wrapped")

    Tensor: Any
    wrapped: Callable[[Any], Any]


makers = Makers()
