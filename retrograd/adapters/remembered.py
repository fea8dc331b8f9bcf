"""One evaluation for two questions: solvers ask for a value and then, at the same place, for the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Remembered"]

PATIENCE = 2  # gradients in a row that nobody asked for


class Remembered:
    """A function and its gradient, computed together and handed out one after the other.

    The place is an array or a tuple of arrays, the rest of the arguments is known by identity.  A gradient is handed out once: data that a program changes between two runs is never mixed with an old gradient.
    A method that rejects many places, and asks there for values alone, soon gets values alone.
    """

    def __init__(
        self,
        value: Callable[..., Any],
        both: Callable[..., tuple[Any, Any]],
        gradient: Callable[..., Any],
    ) -> None:
        self.only_value, self.both, self.only_gradient = value, both, gradient
        self.kept: tuple[Any, tuple[Any, ...], Any] | None = None
        self.unread = 0

    def value(self, x: Any, *args: Any) -> Any:
        self.unread += self.kept is not None
        self.kept = None
        if self.unread > PATIENCE:
            return self.only_value(x, *args)
        value, gradient = self.both(x, *args)
        self.kept = (copied(x), args, gradient)
        return value

    def gradient(self, x: Any, *args: Any) -> Any:
        kept, self.kept, self.unread = self.kept, None, 0
        if kept is not None and same(kept[1], args) and equal(kept[0], x):
            return kept[2]
        return self.only_gradient(x, *args)


def copied(x: Any) -> Any:
    return tuple(map(np.array, x)) if isinstance(x, tuple) else np.array(x)


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool(np.array_equal(a, b))


def same(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
