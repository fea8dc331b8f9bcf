"""Quantiles: between which two entries each lies, and how far it is from the one to the other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..core import cast
from ..joining import numbered
from ..reductions import Axis, rows

__all__ = ["along_first", "quantile_points", "trailing_sum"]

# alpha and beta of Hyndman and Fan: the place of q among n is n*q + alpha + q*(1 - alpha - beta) - 1
CONTINUOUS = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}


def quantile_points(
    z: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear", nan: bool = False
) -> tuple[Any, Any, Any, Any]:
    """The places of the two entries around each quantile ``z``; ``start + rate * q`` is the way between.

    Places count the entries of ``x`` in C order.  ``nan``: entries that are no numbers do not count.

    >>> [part.item() for part in quantile_points(20.0, np.array([30.0, 10.0]), 0.5)]
    [1, 0, 0.0, 1.0]
    """
    values, places = rows(x, axis), rows(numbered(x), axis)
    if values.shape[-1] == 0:
        raise UnsupportedOperation("the quantile of no numbers", fix="look at their number first")
    order = np.argsort(values, axis=-1, kind="stable")
    values = np.take_along_axis(values, order, axis=-1)
    places = np.take_along_axis(places, order, axis=-1)
    n = np.sum(~np.isnan(values), axis=-1) if nan else np.asarray(values.shape[-1])
    part = np.asarray(q, np.float64)
    shape = part.shape + values.shape[:-1]
    part = np.broadcast_to(part.reshape(part.shape + (1,) * (values.ndim - 1)), shape)
    last = np.broadcast_to(np.maximum(n - 1, 0), shape)
    if method in CONTINUOUS or method in ("midpoint", "averaged_inverted_cdf"):
        low, way, rate = between(method, part, n, last)
    else:  # an entry of its own
        same = np.equal(values, np.reshape(z, shape)[..., None])
        low, way, rate = np.argmax(same, axis=-1), np.zeros(shape), np.zeros(shape)
    dtype = np.real(values).dtype if np.ndim(q) == 0 else np.dtype(np.float64)
    high = np.minimum(low + 1, last)
    start = (way - rate * part).astype(dtype)
    return at(places, low), at(places, high), start, rate.astype(dtype)


def between(method: str, part: Any, n: Any, last: Any) -> tuple[Any, Any, Any]:
    """The entry below each quantile, the way to the next, and how fast it goes with q."""
    alpha, beta = CONTINUOUS.get(method, (1.0, 1.0) if method == "midpoint" else (0.0, 1.0))
    place = n * part + alpha + part * (1 - alpha - beta) - 1
    inside = (place >= 0) & (place <= last)
    place = np.clip(place, 0, last)
    low = np.floor(place).astype(np.intp)
    way = place - low
    if method in CONTINUOUS:
        return low, way, np.where(inside, n + 1 - alpha - beta, 0.0)
    half = way > 0 if method == "midpoint" else (way == 0) & inside
    other = 0.0 if method == "midpoint" else np.where(way > 0, 1.0, 0.0)
    return low, np.where(half, 0.5, other), np.zeros(part.shape)


def at(places: Any, k: Any) -> Any:
    """Entry ``k`` of each row of ``places``; the axes of ``k`` before those of the rows are q's."""
    lead = k.ndim - (places.ndim - 1)
    flat = k.reshape((math.prod(k.shape[:lead]), *places.shape[:-1]))
    taken = np.take_along_axis(places, np.moveaxis(flat, 0, -1), axis=-1)
    return np.moveaxis(taken, -1, 0).reshape(k.shape[:lead] + places.shape[:-1])


def along_first(c: Any, like: Any) -> Any:
    """``c``, whose axes are the first of ``like``, repeated along the others.

    >>> along_first(np.array([1.0, 2.0]), np.zeros((2, 3)))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    shape = np.shape(c) + (1,) * (np.ndim(like) - np.ndim(c))
    return np.broadcast_to(np.reshape(c, shape), np.shape(like))


def trailing_sum(c: Any, like: Any) -> Any:
    """`along_first`, transposed: the sum over the axes that ``like`` does not have.

    >>> trailing_sum(np.ones((2, 3)), np.zeros(2))
    array([3., 3.])
    """
    return cast(np.sum(c, axis=tuple(range(np.ndim(like), np.ndim(c)))), like)
