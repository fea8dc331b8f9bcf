"""Sums and differences of objects that say how they are added and negated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

__all__ = ["Additive"]


class Additive(ABC):
    """Has ``+`` on its right side, and ``-`` on both, by ``__add__`` and ``__neg__``."""

    @abstractmethod
    def __add__(self, other: Any) -> Any: ...

    @abstractmethod
    def __neg__(self) -> Any: ...

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other
