"""Helpers that the device has otherwise.

On the host a question saves work: are there any zeros?  On the device the answer would have to be waited for, and the
work costs less.  Others reach into NumPy's memory, or are Python numbers' own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.libraries import cupy, is_cupy
from ..helpers import containers, elementwise, exact_zero, indexing, reductions
from ..helpers.core import map_tree
from ..objects.pytree import children

__all__ = ["INSTEAD"]


def mul0(g: Any, p: Any) -> Any:
    if not (is_cupy(g) or is_cupy(p)):
        return exact_zero.mul0(g, p)
    return g * cupy().where(g == 0, 0, p)


def div0(c: Any, y: Any) -> Any:
    if not (is_cupy(c) or is_cupy(y)):
        return exact_zero.div0(c, y)
    return c / cupy().where(c == 0, 1, y)


def divide_or_zero(c: Any, y: Any) -> Any:
    if not (is_cupy(c) or is_cupy(y)):
        return elementwise.divide_or_zero(c, y)
    zero = y == 0
    return cupy().where(zero, 0, c / cupy().where(zero, 1, y))


def repeated(c: Any, shape: tuple[int, ...]) -> Any:
    """One number as an array that may not be written to."""
    return cupy().broadcast_to(c, shape)


def hits_of(z: Any, x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    cp = cupy()
    top = z
    if axis is not None and not keepdims:
        top = cp.expand_dims(z, axis)
    hits = (x == top) | (cp.isnan(x) & cp.isnan(top))
    if where is not True:
        hits = hits & where
    return hits.astype(np.result_type(x.real.dtype, np.float16))


def add_at(buf: Any, index: Any, c: Any) -> None:
    """Complex numbers are added by their parts: atomic additions are of real ones."""
    cp = cupy()
    if buf.dtype.kind != "c":
        cp.add.at(buf, index, c)
        return
    cp.add.at(buf.real, index, cp.real(c))
    cp.add.at(buf.imag, index, cp.imag(c))


def match(c: Any, like: Any) -> Any:
    """The gradient of a number is one of the device: the host would have to wait for it."""
    if children(like) is not None:
        return map_tree(
            lambda x, g: containers.matched_leaf(x, g) if not is_cupy(g) else match(g, x), like, c
        )
    if is_cupy(c) and isinstance(like, float):
        return c.real
    if is_cupy(like):
        made = cupy().empty(like.shape, like.dtype)
        made[...] = c.real if is_cupy(c) and c.dtype.kind == "c" > like.dtype.kind else c
        return made
    return containers.match(c, like)


INSTEAD = {
    containers.match: match,
    elementwise.divide_or_zero: divide_or_zero,
    exact_zero.div0: div0,
    exact_zero.mul0: mul0,
    indexing.add_at: add_at,
    reductions.hits_of: hits_of,
    reductions.repeated: repeated,
}
