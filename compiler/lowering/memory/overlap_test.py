"""The axes of a part of an array, which tell if two parts lie in it in the same way."""

from __future__ import annotations

import operator
from typing import Any

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import is_basic
from ...ir.operations import Const, Operand

__all__ = ["axes_of"]

Axes = list[tuple[int | None, int]]  # of each axis: which of the array's it is, and its step


def axes_of(path: tuple[tuple[Operand, ...], ...], rank: int) -> Axes | None:
    """The axes of a part of an array that views lead to; None if that is not known.

    None at all for what integer arrays and masks name: NumPy copies that first.

    >>> import numpy as np
    >>> step = (Const(operator.getitem), (slice(None), Const(0)))
    >>> axes_of(((Const(np.ndarray.T),), step), 2)
    [(1, 1)]
    """
    axes: Axes | None = [(k, 1) for k in range(rank)]
    for fn, *args in path:
        if axes is None:
            return None
        if fn.value is operator.getitem:
            axes = indexed(axes, args[0])
        elif traits_of(fn.value).axes == "turned" and not args:
            axes = axes[::-1]
        else:
            return None
    return axes


def indexed(axes: Axes, index: Operand) -> Axes | None:
    items = list(index) if isinstance(index, tuple) else [index]
    dots = [k for k, i in enumerate(items) if is_const(i, Ellipsis)]
    taken = sum(not is_const(i, Ellipsis) and not is_const(i, None) for i in items)
    at = dots[0] if dots else len(items)
    items[at : at + len(dots)] = [slice(None)] * (len(axes) - taken)
    found: Axes = []
    left = iter(axes)
    for item in items:
        if is_const(item, None):
            found.append((None, 0))
            continue
        if not is_basic(item):
            return []
        axis, step = next(left)
        if isinstance(item, slice):
            stride = item.step.value if isinstance(item.step, Const) else item.step
            if stride is not None and type(stride) is not int:
                return None
            found.append((axis, step * (stride or 1)))
    return found


def is_const(item: Any, value: Any) -> bool:
    return isinstance(item, Const) and item.value is value
