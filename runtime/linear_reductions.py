"""Linear helpers of reductions: what sums, products and quantiles are transposed into.

``c`` is the array a helper is linear in; ``like`` is read only for its shape and dtype.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import UnsupportedOperation
from .linear_core import cast, unbroadcast

__all__ = [
    "advance", "align", "before", "count", "delay", "interpolate", "matching", "nancount",
    "others", "recur", "recur_back", "rows", "share_ties",
    "spread", "total", "unalign", "uncumsum", "undiff", "uninterpolate", "unreduce",
    "unrows", "untrapezoid",
]  # fmt: skip

Axis = int | Sequence[int] | None


# --- axes -------------------------------------------------------------------------------


def axes_of(like: Any, axis: Axis) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from the front, in the order given."""
    rank = np.ndim(like)
    if axis is None:
        return tuple(range(rank))
    return tuple(a % rank if rank else 0 for a in np.atleast_1d(np.asarray(axis, int)).tolist())


def kept_shape(like: Any, axis: Axis) -> tuple[int, ...]:
    """The shape of a reduction of ``like`` with ``keepdims=True``."""
    reduced = axes_of(like, axis)
    return tuple(1 if i in reduced else n for i, n in enumerate(np.shape(like)))


def typed(c: Any, like: Any) -> Any:
    """``c`` as an array; a Python number takes the float type of ``like``."""
    if hasattr(c, "dtype"):
        return np.asarray(c)
    return np.asarray(c, np.result_type(getattr(like, "dtype", np.float64), c))


def count(like: Any, axis: Axis = None, ddof: float = 0) -> float:
    """How many entries each result of a reduction of ``like`` has, less ``ddof``; nan if none.

    >>> count(np.zeros((2, 3))), count(np.zeros((2, 3)), axis=1, ddof=1)
    (6.0, 2.0)
    """
    shape = np.shape(like)
    entries = math.prod(shape[i] for i in axes_of(like, axis) if shape) - ddof
    return float(entries) if entries > 0 else math.nan


def nancount(like: Any, axis: Axis = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """How many entries that are numbers each result has, less ``ddof``; nan if none.

    >>> nancount(np.array([1.0, np.nan, 3.0])).item()
    2.0
    """
    there = np.sum(~np.isnan(like), axis=axis, keepdims=keepdims) - ddof
    return np.where(there > 0, there, np.nan).astype(np.real(like).dtype)[()]


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
    if c.ndim and not keepdims:
        c = c.reshape(kept_shape(like, axis))
    return np.broadcast_to(c, shape)


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
    return c.transpose(np.argsort(order)) if order else c


# --- extremes, quotients ----------------------------------------------------------------


def share_ties(z: Any, x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """What part each entry of ``x`` has in the extreme ``z``: ties share evenly.

    >>> share_ties(2.0, np.array([2.0, 2.0, 1.0]))
    array([0.5, 0.5, 0. ])
    """
    top = unreduce(z, x, axis=axis, keepdims=keepdims)
    hits = np.equal(x, top)
    if np.any(np.isnan(z)):
        hits = hits | (np.isnan(x) & np.isnan(top))
    hits = hits.astype(np.result_type(np.real(x), 0.0))
    return hits / np.sum(hits, axis=axis, keepdims=True)


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


# --- running sums and products ----------------------------------------------------------


def uncumsum(c: Any, like: Any, axis: int | None = None) -> Any:
    """The sum of what follows, itself included, in the shape of ``like``.

    >>> uncumsum(np.array([1.0, 2.0, 3.0]), np.zeros(3))
    array([6., 5., 3.])
    """
    along = 0 if axis is None else axis
    after = np.flip(np.cumsum(np.flip(c, along), along), along)
    return after.reshape(np.shape(like))


def delay(c: Any) -> Any:
    """Each entry one place later along the last axis; 0 comes first.

    >>> delay(np.array([1.0, 2.0, 3.0]))
    array([0., 1., 2.])
    """
    out = np.zeros_like(c)
    out[..., 1:] = c[..., :-1]
    return out


def advance(c: Any) -> Any:
    """Each entry one place earlier along the last axis; 0 comes last.

    >>> advance(np.array([1.0, 2.0, 3.0]))
    array([2., 3., 0.])
    """
    out = np.zeros_like(c)
    out[..., :-1] = c[..., 1:]
    return out


def before(x: Any) -> Any:
    """The product of all that stands before, along the last axis.

    >>> before(np.array([2.0, 3.0, 4.0]))
    array([1., 2., 6.])
    """
    out = np.ones_like(x)
    np.cumprod(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


def recur(c: Any, a: Any) -> Any:
    """The recurrence ``y[i] = a[i] * y[i - 1] + c[i]`` along the last axis, from 0.

    >>> recur(np.array([1.0, 1.0, 1.0]), np.array([5.0, 2.0, 3.0]))
    array([ 1.,  3., 10.])
    """
    y = np.array(c, np.result_type(c, a))
    gain = np.array(a, y.dtype)
    step, exact = 1, np.all(gain)
    with np.errstate(all="ignore"):
        while step < y.shape[-1]:
            y[..., step:] += gain[..., step:] * y[..., :-step]
            gain[..., step:] *= gain[..., :-step]
            step *= 2
    spoilt = (exact and not np.all(gain)) or not np.all(np.isfinite(y))
    return recur_slowly(c, a) if spoilt else y


def recur_slowly(c: Any, a: Any) -> Any:
    """`recur` step by step: right also where products of ``a`` overflow or underflow."""
    y = np.array(c, np.result_type(c, a))
    for i in range(1, y.shape[-1]):
        y[..., i] += a[..., i] * y[..., i - 1]
    return y


def recur_back(c: Any, a: Any) -> Any:
    """The recurrence ``u[i] = c[i] + a[i + 1] * u[i + 1]``: `recur`, transposed.

    >>> recur_back(np.array([1.0, 1.0, 1.0]), np.array([5.0, 2.0, 3.0]))
    array([9., 4., 1.])
    """
    return recur(c[..., ::-1], delay(a[..., ::-1]))[..., ::-1]


def others(x: Any, axis: Axis = None) -> Any:
    """For each entry the product of all the others: no division, so zeros are exact.

    >>> others(np.array([0.0, 2.0, 3.0]))
    array([6., 0., 0.])
    """
    lines = rows(x, axis)
    return unrows(before(lines) * before(lines[..., ::-1])[..., ::-1], x, axis)


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
        c = c.transpose(np.argsort(axes)).reshape(shape)
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
    return c.transpose(np.argsort(np.argsort(axes)))


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


# --- differences, integrals, quantiles --------------------------------------------------


def undiff(c: Any, like: Any, n: int = 1, axis: int = -1) -> Any:
    """`np.diff`, transposed.

    >>> undiff(np.array([1.0, 5.0]), np.zeros(3))
    array([-1., -4.,  5.])
    """
    c = typed(c, like)
    if c.shape[axis] == 0:
        return np.zeros(np.shape(like), c.dtype)
    pad = [(0, 0)] * c.ndim
    pad[axis] = (1, 1)
    for _ in range(n):
        c = -np.diff(np.pad(c, pad), axis=axis)
    return c


def untrapezoid(c: Any, like: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """`np.trapezoid`, transposed: every ordinate's weight times ``c``.

    >>> untrapezoid(2.0, np.zeros(3))
    array([1., 2., 1.])
    """
    c, lines = typed(c, like), np.moveaxis(np.zeros(np.shape(like)), axis, -1)
    step = np.asarray(dx if x is None else np.diff(x) if np.ndim(x) == 1 else np.diff(x, axis=axis))
    if step.ndim > 1:
        step = np.moveaxis(step, axis, -1)
    lines[..., :-1] += step / 2
    lines[..., 1:] += step / 2
    return np.moveaxis(lines.astype(np.real(c).dtype) * c[..., None], -1, axis)


def quantile_places(n: int, q: Any, dtype: Any) -> tuple[Any, Any, Any]:
    """The neighbours of the ``q``-quantile among ``n`` sorted values, and the way between."""
    place = np.asarray(q, np.float64) * (n - 1)
    low = np.clip(np.floor(place).astype(np.intp), 0, n - 1)
    way = place - low
    if np.ndim(q) == 0:  # one quantile leaves a float32 what it is, as in NumPy
        way = way.astype(np.zeros((), dtype).real.dtype)
    return low, np.minimum(low + 1, n - 1), way


def interpolate(c: Any, order: Any, q: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Interpolate at the ``q``-quantiles of the rows of ``c``, put into ``order`` first.

    >>> interpolate(np.array([30.0, 10.0]), np.array([1, 0]), 0.5).item()
    20.0
    """
    lines = np.take_along_axis(rows(c, axis), order, axis=-1)
    low, high, way = quantile_places(lines.shape[-1], q, lines.dtype)
    out = lines[..., low] * (1 - way) + lines[..., high] * way
    out = np.moveaxis(out, range(out.ndim - low.ndim, out.ndim), range(low.ndim))
    return (out.reshape(low.shape + kept_shape(c, axis)) if keepdims else out)[()]


def uninterpolate(
    c: Any, like: Any, order: Any, q: Any, axis: Axis = None, keepdims: bool = False
) -> Any:
    """`interpolate`, transposed: each quantile's cotangent back to the two values it lies between.

    >>> uninterpolate(1.0, np.array([30.0, 10.0]), np.array([1, 0]), 0.5)
    array([0.5, 0.5])
    """
    c = typed(c, like)
    low, high, way = quantile_places(order.shape[-1], q, c.dtype)
    c = c.reshape(low.shape + order.shape[:-1])
    c = np.moveaxis(c, range(low.ndim), range(c.ndim - low.ndim, c.ndim))
    lines: Any = np.zeros(order.shape, c.dtype)
    places: Any = (..., low), (..., high)
    np.add.at(lines, places[0], c * (1 - way))
    np.add.at(lines, places[1], c * way)
    out = np.empty_like(lines)
    np.put_along_axis(out, order, lines, axis=-1)
    return cast(unrows(out, like, axis), like)
