"""Solutions of equations on the tape: found with plain numbers, and moved by Newton's steps, which give the derivatives.

A step ``z - slopes^-1 (f(z) - f(z)')``, where ``'`` means the plain number, leaves ``z`` its value; one such step gives it
the first derivative of the solution, a second one the second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...objects.pytree import map_operands
from ..box import Box, boxes_in, has_boxes, raw
from ..boxed_functions import followed
from ..calls import pushed, taped
from ..dispatch import apply

__all__ = ["Watched", "gradient", "order_of", "plain", "through_equation", "vector"]

Function = Callable[..., Any]


def plain(tree: Any) -> Any:
    """The numbers and arrays in a tree."""
    return map_operands(raw, tree)


class Watched:
    """A function as a library asks it, for plain numbers; ``carries``: it has given values of the tape."""

    def __init__(self, fn: Function) -> None:
        self.fn, self.carries = fn, False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self.fn(*args, **kwargs)
        self.carries = self.carries or has_boxes((found,))
        return plain(found)


def order_of(value: Any) -> int:
    """How many differentiations are open on a value: the order of its derivative."""
    deepest = 0
    for box in boxes_in(value):
        depth, inner = 0, box
        while type(inner) is Box:
            depth, inner = depth + (inner._mark is not None), inner._value
        deepest = max(deepest, depth)
    return deepest


def vector(value: Any) -> Any:
    """A vector of whatever numbers a function gives."""
    return apply(np.ravel, (apply(np.asarray, (value,), {}),), {})


def gradient(f: Function, z: Any) -> Any:
    """The gradient of a function whose result is one number."""
    value, pull = taped(f, z)
    return pull(np.ones_like(raw(value))[()])


def slopes_of(f: Function, z: Any) -> Any:
    """The Jacobian of ``f`` at ``z``, numbers; a row of slopes where both are numbers."""
    if np.ndim(z) == 0:
        return plain(pushed(f, (1.0,), z)[1])
    columns = [np.ravel(plain(pushed(f, (unit,), z)[1])) for unit in np.eye(z.size)]
    return np.stack(columns, axis=-1)


def through_equation(f: Function, z: Any) -> Any:
    """``z`` with ``f(z) = 0``, as a function of what ``f`` reads around it."""
    start = f(z)
    slopes: Any = None
    moved = z
    for _ in range(order_of(start)):
        gap = f(moved)
        gap = gap - plain(gap)
        if slopes is None:
            slopes = slopes_of(f, z)
        if np.ndim(z) == 0:
            moved = moved - gap / slopes
        else:
            moved = moved - apply(np.linalg.solve, (slopes, vector(gap)), {})
    return moved


def elementwise(f: Function, z: Any) -> Any:
    """The same of an array, each of whose elements solves an equation of its own."""
    start = f(z)
    moved = z
    slopes = plain(pushed(f, (np.ones_like(z),), z)[1])
    for _ in range(order_of(start)):
        gap = f(moved)
        moved = moved - (gap - plain(gap)) / slopes
    return moved


def on_tape(f: Any) -> Any:
    """The function as it is run on the tape, if it is one."""
    return followed(f) if callable(f) else f
