"""Linear helpers of running sums and products, of differences along an axis.

``c`` is the array a helper is linear in; ``like`` is read only for its shape and dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .reductions import Axis, rows, typed, unrows

__all__ = [
    "advance", "before", "delay", "edge", "others", "recur", "recur_back", "uncumsum", "undiff",
]  # fmt: skip


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


# --- differences ----------------------------------------------------------


def undiff(c: Any, like: Any, n: int = 1, axis: int = -1) -> Any:
    """`np.diff`, transposed.

    >>> undiff(np.array([1.0, 5.0]), np.zeros(3))
    array([-1., -4.,  5.])
    """
    c = typed(c, like)
    if n == 0:
        return c
    if c.shape[axis] == 0:
        return np.zeros(np.shape(like), c.dtype)
    pad = [(0, 0)] * c.ndim
    pad[axis] = (1, 1)
    for _ in range(n):
        c = -np.diff(np.pad(c, pad), axis=axis)
    return c


def edge(c: Any, like: Any, axis: int = -1) -> Any:
    """The part that is joined to ``like`` at an end: a number is repeated along the other axes.

    >>> edge(5.0, np.zeros((2, 3)))
    array([[5.],
           [5.]])
    """
    if np.ndim(c):
        return c
    shape = list(np.shape(like))
    shape[axis] = 1
    return np.broadcast_to(c, shape)
