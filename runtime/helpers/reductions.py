"""Linear helpers of reductions: what sums, products and quantiles are transposed into.

``c`` is the array a helper is linear in; ``like`` is read only for its shape and dtype.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import WHOLE, cast, unbroadcast, zeros_like

__all__ = [
    "align", "chosen_part", "count", "matching", "nancount", "one_if_none", "rows", "share_start", "share_ties",
    "spread", "stretch_over", "to_type", "total", "unalign", "unreduce", "unrows",
]  # fmt: skip

Axis = int | Sequence[int] | None


# --- axes -------------------------------------------------------------------------------


def axes_of(like: Any, axis: Axis) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from the front, in the order given."""
    rank = np.ndim(like)
    if axis is None:
        return tuple(range(rank))
    return tuple(a % rank if rank else 0 for a in np.atleast_1d(np.asarray(axis, int)).tolist())


def sorting(axes: Sequence[int]) -> list[int]:
    """``np.argsort`` of a few axes, in Python: the order that undoes a transposition.

    >>> sorting((2, 0, 1))
    [1, 2, 0]
    """
    return sorted(range(len(axes)), key=axes.__getitem__)


def kept_shape(like: Any, axis: Axis) -> tuple[int, ...]:
    """The shape of a reduction of ``like`` with ``keepdims=True``."""
    reduced = axes_of(like, axis)
    return tuple(1 if i in reduced else n for i, n in enumerate(np.shape(like)))


def typed(c: Any, like: Any) -> Any:
    """``c`` as an array, of no whole numbers; a Python number takes the float type of ``like``."""
    if hasattr(c, "dtype"):
        return np.asarray(c, np.float64 if c.dtype.kind in WHOLE else None)
    return np.asarray(c, np.result_type(getattr(like, "dtype", np.float64), c))


def count(
    like: Any, axis: Axis = None, ddof: float = 0, where: Any = True, keepdims: bool = False
) -> Any:
    """How many entries each result of a reduction of ``like`` has, less ``ddof``; nan if none.

    >>> count(np.zeros((2, 3))), count(np.zeros((2, 3)), axis=1, ddof=1)
    (6.0, 2.0)
    """
    if where is not True:
        there = counted(where, like)
        return or_nan(np.sum(there, axis=axis, keepdims=keepdims) - ddof, like)
    shape = np.shape(like)
    entries: Any = math.prod(shape[i] for i in axes_of(like, axis) if shape)
    if ddof:
        entries -= ddof
    return float(entries) if entries > 0 else math.nan


def counted(where: Any, like: Any) -> Any:
    """``where=`` as a mask in the shape of ``like``.

    >>> counted([1, 0], np.zeros(2))
    array([ True, False])
    """
    there = np.broadcast_to(where, np.shape(like))
    if there.dtype.kind != "b":
        if np.any((there != 0) & (there != 1)):
            raise UnsupportedOperation(
                "NumPy counts an entry several times for a mean or a variance where `where=` is an "
                "integer other than 0 and 1",
                fix="pass a mask of booleans: where=np.asarray(mask, bool)",
            )
        there = there.astype(bool)
    return there


def nancount(
    like: Any, axis: Axis = None, keepdims: bool = False, ddof: float = 0, where: Any = True
) -> Any:
    """How many entries that are numbers each result has, less ``ddof``; nan if none.

    >>> nancount(np.array([1.0, np.nan, 3.0])).item()
    2.0
    """
    there = counted(where, like) & ~np.isnan(like)
    return or_nan(np.sum(there, axis=axis, keepdims=keepdims) - ddof, like)


def or_nan(n: Any, like: Any) -> Any:
    """Numbers of entries as floats of the precision of ``like``; nan where there is none."""
    return np.where(n > 0, n, np.nan).astype(np.result_type(np.asarray(np.real(like)), np.float16))[
        ()
    ]


def chosen_part(like: Any, where: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Which part of the entries of each mean ``where`` chooses.

    >>> chosen_part(np.zeros(4), np.array([True, False, True, True])).item()
    0.75
    """
    there = counted(where, like)
    return count(like, axis, 0, there, keepdims) / count(like, axis)


def to_type(c: Any, dtype: Any = None) -> Any:
    """``c`` as a differential of what has this dtype: nothing passes through an integer.

    >>> to_type(np.ones(2), np.float32)
    array([1., 1.], dtype=float32)
    """
    if dtype is None:
        return c
    like = np.empty(0, dtype)
    return cast(np.asarray(c), like)[()] if like.dtype.kind in "fc" else zeros_like(c)


def one_if_none(b: Any) -> Any:
    """The weights of a sum, which may be left out.

    >>> one_if_none(None), one_if_none(2.5)
    (1.0, 2.5)
    """
    return 1.0 if b is None else b


def stretch_over(x: Any, like: Any) -> Any:
    """``x`` in the shape that it has beside ``like``, which may be left out.

    >>> stretch_over(np.zeros(2), None).shape, stretch_over(np.zeros(2), np.ones((3, 1))).shape
    ((2,), (3, 2))
    """
    if like is None:
        return x
    return np.broadcast_to(x, np.broadcast_shapes(np.shape(x), np.shape(like)))


def unreduce(c: Any, like: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Give every summand of ``like`` the cotangent of its sum.

    >>> unreduce(np.array([1.0, 2.0]), np.zeros((2, 3)), axis=1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    shape = np.shape(like)
    if not shape:
        return c if np.ndim(c) == 0 else np.reshape(c, ())
    c = typed(c, like)
    if not c.ndim and type(c) is np.ndarray:
        return repeated(c, shape)
    if c.ndim and not keepdims:
        c = c.reshape(kept_shape(like, axis))
    return np.broadcast_to(c, shape)


def repeated(c: Any, shape: tuple[int, ...]) -> Any:
    """``np.broadcast_to(c, shape)`` of one number."""
    c = np.asarray(c)
    made: Any = np.ndarray(shape, c.dtype, c, 0, (0,) * len(shape))
    made.flags.writeable = False
    return made


def rows(c: Any, axis: Axis = None) -> Any:
    """``c`` with the axes of a reduction flattened into one, the last.

    >>> rows(np.arange(4.0).reshape(2, 2), axis=0)
    array([[0., 2.],
           [1., 3.]])
    """
    c = np.asarray(c)
    last = axes_of(c, axis) if c.ndim else ()
    rest = [i for i in range(c.ndim) if i not in last]
    length = math.prod(c.shape[i] for i in last)
    return c.transpose(*rest, *last).reshape(*(c.shape[i] for i in rest), length)


def unrows(c: Any, like: Any, axis: Axis = None) -> Any:
    """The inverse of `rows`: the axes of ``like`` back in their places.

    >>> unrows(np.array([[0.0, 2.0], [1.0, 3.0]]), np.zeros((2, 2)), axis=0)
    array([[0., 1.],
           [2., 3.]])
    """
    shape = np.shape(like)
    last = axes_of(like, axis) if shape else ()
    order = [*(i for i in range(len(shape)) if i not in last), *last]
    c = np.reshape(c, [shape[i] for i in order])
    return c.transpose(sorting(order)) if order else c


# --- extremes, quotients ----------------------------------------------------------------


def share_ties(
    z: Any,
    x: Any,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The share of each entry of ``x`` in the extreme ``z``: ties share evenly.

    >>> share_ties(2.0, np.array([2.0, 2.0, 1.0]))
    array([0.5, 0.5, 0. ])
    """
    hits = hits_of(z, x, axis, keepdims, where)
    number = np.sum(hits, axis=axis, keepdims=True)
    if initial is not None:
        number = number + np.reshape(starts(z, x, initial), np.shape(number))
    return hits / np.maximum(number, 1) if initial is not None else hits / number


def share_start(
    z: Any,
    x: Any,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The share in an extreme of the value that it started from.

    >>> share_start(2.0, np.array([2.0, 1.0]), initial=2.0).item()
    0.5
    """
    hits = np.sum(hits_of(z, x, axis, keepdims, where), axis=axis, keepdims=keepdims)
    mine = starts(z, x, initial)
    return mine / np.maximum(hits + mine, 1)


def starts(z: Any, x: Any, initial: Any) -> Any:
    """1 where the extreme ``z`` is the value it started from."""
    return np.equal(z, np.asarray(initial, np.result_type(x))).astype(
        np.result_type(np.asarray(np.real(x)), np.float16)
    )


def hits_of(z: Any, x: Any, axis: Axis, keepdims: bool, where: Any) -> Any:
    """1 where an entry of ``x`` equals the extreme ``z`` it was chosen for, else 0."""
    top = unreduce(z, x, axis=axis, keepdims=keepdims)
    hits = np.equal(x, top)
    if np.any(np.isnan(z)):
        hits = hits | (np.isnan(x) & np.isnan(top))
    if where is not True:
        hits = hits & np.asarray(where, bool)
    return hits.astype(np.result_type(np.real(x), 0.0))


def matching(z: Any, x: Any, axis: int | None = -1) -> Any:
    """Where in ``x`` each entry of its rearrangement ``z`` comes from.

    >>> matching(np.array([1.0, 3.0, 2.0]), np.array([3.0, 2.0, 1.0]))
    array([2, 0, 1])
    """
    here = np.argsort(z, axis=axis, kind="stable")
    source = np.argsort(x, axis=axis, kind="stable")
    order = np.empty_like(here)
    np.put_along_axis(order, here, source, axis=axis)
    return order


# --- averages, totals -------------------------------------------------------------------


def align(c: Any, like: Any, axis: Axis = None) -> Any:
    """The weights ``c`` of an average in the full shape of ``like``; None: all ones.

    >>> align(np.array([1.0, 2.0]), np.zeros((2, 2)), axis=0)
    array([[1., 1.],
           [2., 2.]])
    """
    if c is None:
        return np.ones(np.shape(like), np.result_type(np.real(like), 0.0))
    c = np.asarray(c)
    if c.shape != np.shape(like):
        axes = axes_of(like, axis)
        shape = [n if i in axes else 1 for i, n in enumerate(np.shape(like))]
        c = c.transpose(sorting(axes)).reshape(shape)
    return np.broadcast_to(c, np.shape(like))


def unalign(c: Any, like: Any, axis: Axis = None) -> Any:
    """Sum ``c`` down to the shape of the weights ``like`` that `align` spread.

    >>> unalign(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2), axis=0)
    array([3., 7.])
    """
    if np.shape(c) == np.shape(like):
        return c
    axes = axes_of(c, axis)
    c = np.sum(c, axis=tuple(i for i in range(np.ndim(c)) if i not in axes))
    return c.transpose(sorting(sorting(axes)))


def total(c: Any, start: Any = 0) -> Any:
    """``sum(c, start)`` of a list, a tuple or the rows of an array.

    >>> total([1.0, 2.0], 3.0)
    6.0
    """
    return builtins.sum(c, start)


def spread(c: Any, like: Any) -> Any:
    """Give every item of ``like`` the cotangent ``c`` of their total.

    >>> spread(2.0, [1.0, 5.0])
    [2.0, 2.0]
    """
    if isinstance(like, np.ndarray):
        return np.broadcast_to(typed(c, like), like.shape)
    if not isinstance(like, (list, tuple)) or any(isinstance(x, (list, tuple)) for x in like):
        raise UnsupportedOperation("sum of something else than numbers and arrays")
    items = [unbroadcast(c, item) for item in like]
    return tuple(items) if isinstance(like, tuple) else items
