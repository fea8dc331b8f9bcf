"""The helpers of norms: the slope of each in its argument, 0 where it has a kink."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..elementwise import divide_or_zero
from ..reductions import axes_of, share_ties, unreduce

__all__ = ["norm_power", "norm_weight", "product_order"]

Axis = int | Sequence[int] | None


def is_matrix_norm(x: Any, ord: Any, axis: Axis, vector: bool) -> bool:
    if vector:
        return False
    if axis is None:
        return ord is not None and np.ndim(x) == 2
    return len(axes_of(x, axis)) == 2


def norm_power(x: Any, ord: Any = None, axis: Axis = None, vector: bool = False) -> float:
    """The p for which a norm behaves like a p-norm around ``x`` (1: piecewise linear).

    >>> norm_power(np.ones((2, 2)), "fro"), norm_power(np.ones(3), np.inf)
    (2.0, 1.0)
    """
    if ord in (None, "fro", "f"):
        return 2.0
    if not is_matrix_norm(x, ord, axis, vector):
        return 1.0 if ord in (0, np.inf, -np.inf) else float(ord)
    if ord in (1, -1, np.inf, -np.inf):
        return 1.0
    raise UnsupportedOperation(
        f"np.linalg.norm: ord={ord!r} of an array that is not known to be a matrix",
        fix="say axis=(-2, -1)",
    )


def norm_weight(
    length: Any,
    x: Any,
    ord: Any = None,
    axis: Axis = None,
    keepdims: bool = False,
    vector: bool = False,
) -> Any:
    """The factor k for which ``k * x`` is the gradient of the norm ``length`` of ``x``.

    It is 0 where the norm has a kink, as for the zero vector.  ``vector``: along two axes, too, it is
    the norm of a vector.

    >>> norm_weight(5.0, np.array([3.0, 4.0]))
    array([0.2, 0.2])
    """
    p = norm_power(x, ord, axis, vector)
    size = np.abs(x)
    if p == 1:
        return divide_or_zero(norm_chosen(size, ord, axis, vector), size)
    top = unreduce(length, x, axis=axis, keepdims=keepdims)
    if p == 2:
        return divide_or_zero(np.ones_like(size), top)
    ratio = divide_or_zero(size, top)
    powers = np.where(ratio == 0, 0.0, np.where(ratio == 0, 1.0, ratio) ** (p - 2))
    return divide_or_zero(powers, top)


def norm_chosen(size: Any, ord: Any, axis: Axis, vector: bool) -> Any:
    """The slope of a piecewise linear norm in each absolute value."""
    if ord == 0 or np.size(size) == 0:
        return np.zeros_like(size)
    extreme = np.min if ord in (-1, -np.inf) else np.max
    if not is_matrix_norm(size, ord, axis, vector):
        if ord == 1:
            return np.ones_like(size)
        return share_ties(extreme(size, axis=axis, keepdims=True), size, axis=axis, keepdims=True)
    along, across = axes_of(size, axis)
    if ord in (np.inf, -np.inf):
        along, across = across, along
    sums = np.sum(size, axis=along, keepdims=True)
    best = extreme(sums, axis=across, keepdims=True)
    return share_ties(best, sums, axis=across, keepdims=True) * np.ones_like(size)


def product_order(p: Any) -> Any:
    """The order of a condition number that is a product of two norms.

    >>> product_order("fro")
    'fro'
    """
    if p in (None, 2, -2):
        raise UnsupportedOperation("np.linalg.cond: `p` must be written as a literal")
    if p == "nuc":
        raise UnsupportedOperation("np.linalg.cond: p='nuc' has no derivative")
    return p
