"""The table of shape functions: operation -> (argument types -> result type)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["SHAPES", "UNKNOWN", "shape"]


class Unknown:
    """An argument whose value is not known at compile time."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()
SHAPES: dict[Any, Callable[..., Any]] = {}


def shape(*operations: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the shape function of ``operations``."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        SHAPES.update(dict.fromkeys(operations, function))
        return function

    return register
