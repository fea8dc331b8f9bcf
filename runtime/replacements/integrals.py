"""Integrals of samples as programs of NumPy, which are differentiated in place of SciPy's.

They give what ``scipy.integrate`` gives, and have a derivative in the samples and in where these are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["cumulative_simpson", "cumulative_trapezoid", "simpson", "trapezoid"]


def gaps(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """The distances of the samples, the last axis of ``y`` being that of the integral."""
    if x is None:
        kind = y.dtype if np.issubdtype(y.dtype, np.inexact) else np.float64
        return dx * np.ones(y.shape[-1] - 1, kind)
    return np.diff(x) if np.ndim(x) == 1 else np.diff(np.moveaxis(x, axis, -1))


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = np.moveaxis(np.asarray(y), axis, -1)
    return np.sum(gaps(y, x, dx, axis) * (y[..., 1:] + y[..., :-1]), axis=-1) / 2


def cumulative_trapezoid(
    y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None
) -> Any:
    y = np.moveaxis(np.asarray(y), axis, -1)
    z = np.cumsum(gaps(y, x, dx, axis) * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)
    if initial is not None:
        z = np.concatenate((initial * np.ones_like(z[..., :1]), z), axis=-1)
    return np.moveaxis(z, -1, axis)


def divided(x: Any, y: Any) -> Any:
    """x / y, and 0 where y is 0: samples may be taken twice at one place."""
    return np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y))


def pairs(y: Any, h: Any) -> Any:
    """Simpson's rule on pairs of intervals, of an odd number of samples."""
    h0, h1 = h[..., :-1:2], h[..., 1::2]
    both = h0 + h1
    left = (2 - divided(h1, h0)) * y[..., :-2:2]
    middle = divided(both * both, h0 * h1) * y[..., 1:-1:2]
    right = (2 - divided(h0, h1)) * y[..., 2::2]
    return np.sum(both / 6 * (left + middle + right), axis=-1)


def simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: int = -1) -> Any:
    y = np.moveaxis(np.asarray(y), axis, -1)
    h = gaps(y, x, dx, axis)
    n = y.shape[-1]
    if n % 2 == 1:
        return pairs(y, h)
    if n == 2:
        return h[..., 0] * (y[..., 0] + y[..., 1]) / 2
    wide = np.asarray(h, dtype=np.result_type(h, np.float64))  # as SciPy takes the last three
    h0, h1 = wide[..., -2], wide[..., -1]
    last = divided(2 * h1 * h1 + 3 * h0 * h1, 6 * (h0 + h1)) * y[..., -1]
    middle = divided(h1 * h1 + 3 * h0 * h1, 6 * h0) * y[..., -2]
    first = divided(h1 * h1 * h1, 6 * h0 * (h0 + h1)) * y[..., -3]
    return pairs(y[..., :-1], h[..., :-1]) + last + middle - first


def first_halves(y: Any, h: Any) -> Any:
    """The integral over the first of each two intervals, of the parabola through three samples."""
    h0, h1 = h[..., :-1], h[..., 1:]
    part, ratio = h0 / (h0 + h1), h0 / h1
    both = part * ratio
    inner = (3 - part) * y[..., :-2] + (3 + both + part) * y[..., 1:-1] - both * y[..., 2:]
    return h0 / 6 * inner


def cumulative_simpson(
    y: Any, *, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None
) -> Any:
    y = np.moveaxis(np.asarray(y), axis, -1)
    h = gaps(y, x, dx, axis)
    n = y.shape[-1]
    if n < 3:
        parts = h * (y[..., 1:] + y[..., :-1]) / 2
    else:
        h = np.asarray(h, dtype=np.result_type(h, np.float64))  # as SciPy takes them
        one = first_halves(y, h)
        two = np.flip(first_halves(np.flip(y, -1), np.flip(h, -1)), -1)
        one = np.concatenate((one, two[..., -1:]), axis=-1)
        two = np.concatenate((one[..., :1], two), axis=-1)
        last = np.arange(n - 1) == n - 2
        parts = np.where((np.arange(n - 1) % 2 == 0) & ~last, one, two)
    z = np.cumsum(parts, axis=-1)
    if initial is not None:
        start = initial * np.ones_like(z[..., :1])
        z = np.concatenate((start, z + start), axis=-1)
    return np.moveaxis(z, -1, axis)
