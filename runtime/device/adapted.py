"""CuPy's functions with the arguments that NumPy's take: numbers among arrays, lists, starting values, masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.libraries import cupy, is_cupy
from .nested_lists import array

__all__ = ["CREATING", "INSTEAD", "METHODS"]

# What makes an array of nothing but numbers makes it on the device: it is to stand among others there.
CREATING = frozenset(
    f"numpy.{name}"
    for name in "arange empty eye full identity indices linspace ones tri tril_indices triu_indices zeros".split()
)


def placed(x: Any) -> Any:
    """An operand on the device: a number, too."""
    return x if is_cupy(x) else cupy().asarray(x)


def asarray(a: Any, dtype: Any = None, order: Any = None) -> Any:
    return array(a, dtype, copy=False, order=order or "K")


def where(condition: Any, *choices: Any) -> Any:
    return cupy().where(placed(condition), *choices)


def broadcast_to(x: Any, shape: Any) -> Any:
    return cupy().broadcast_to(placed(x), shape)


def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    return cupy().take_along_axis(x, indices, axis)


def joining(name: str) -> Callable[..., Any]:
    """A function of several arrays, of which some are numbers."""

    def joined(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        items = arrays if is_cupy(arrays) else [placed(x) for x in arrays]
        return getattr(cupy(), name)(items, *args, **kwargs)

    return joined


def extreme(name: str, of_two: str) -> Callable[..., Any]:
    """``max`` and ``min`` from a starting value, of the entries that a mask shows."""

    def reduced(
        x: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True
    ) -> Any:
        cp = cupy()
        if where is not True:
            x = cp.where(placed(where), x, initial)
        if initial is None:
            return getattr(cp, name)(x, axis=axis, keepdims=bool(keepdims))
        if not x.size:
            kept = cp.sum(x, axis=axis, keepdims=bool(keepdims))
            return cp.full(kept.shape, initial, x.dtype)
        return getattr(cp, of_two)(getattr(cp, name)(x, axis=axis, keepdims=bool(keepdims)), initial)

    return reduced


def first_axis(reduced: Callable[..., Any]) -> Callable[..., Any]:
    """As a method of a ufunc's, which reduces the first axis if none is named."""

    def method(x: Any, axis: Any = 0, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        return reduced(x, axis, **options)

    return method


def accumulated(of_two: str) -> Callable[..., Any]:
    """Running extremes, by twice as many entries in each step."""

    def method(x: Any, axis: int = 0) -> Any:
        made = cupy().moveaxis(x.copy(), axis, -1)
        step = 1
        while step < made.shape[-1]:
            made[..., step:] = getattr(cupy(), of_two)(made[..., step:], made[..., :-step])
            step *= 2
        return cupy().moveaxis(made, -1, axis)

    return method


def summed(x: Any, axis: Any = None, **options: Any) -> Any:
    """``sum``; ``where`` is a mask."""
    mask = options.pop("where", True)
    return cupy().sum(x if mask is True else where(mask, x, 0), axis, **options)


MAX, MIN = extreme("max", "maximum"), extreme("min", "minimum")

INSTEAD: dict[str, Callable[..., Any]] = {
    "numpy.amax": MAX, "numpy.amin": MIN, "numpy.array": array, "numpy.asarray": asarray, "numpy.broadcast_to": broadcast_to,
    "numpy.max": MAX, "numpy.min": MIN, "numpy.sum": summed, "numpy.take_along_axis": take_along_axis,
    "numpy.where": where,
} | {
    f"numpy.{name}": joining(name) for name in ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")
}  # fmt: skip

METHODS: dict[str, Callable[..., Any]] = {
    "numpy.maximum.reduce": first_axis(MAX), "numpy.minimum.reduce": first_axis(MIN),
    "numpy.maximum.accumulate": accumulated("maximum"), "numpy.minimum.accumulate": accumulated("minimum"),
}  # fmt: skip
