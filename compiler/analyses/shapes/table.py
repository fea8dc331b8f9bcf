"""The table of shape functions: operation -> (argument types -> result type)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["SHAPES", "UNKNOWN", "shape"]


class Unknown:
    """An argument whose value is not known at compile time."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()
SHAPES: dict[Any, Callable[..., Any]] = {}


ShapeFunction = TypeVar("ShapeFunction", bound=Callable[..., Any])


def shape(*operations: Any) -> Callable[[ShapeFunction], ShapeFunction]:
    """Register the shape function of ``operations``."""

    def register(function: ShapeFunction) -> ShapeFunction:
        SHAPES.update(dict.fromkeys(operations, function))
        return function

    return register
