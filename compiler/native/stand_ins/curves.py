"""Curves given by points, and sums over neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    x, xp, fp = np.float64(x), np.float64(xp), np.float64(fp)
    n = len(xp)
    if n < 2 or len(fp) != n:
        raise ValueError("one point, or sizes that do not fit")
    below = fp[0] if left is None else left
    above = fp[-1] if right is None else right
    k = np.minimum(np.maximum(np.searchsorted(xp, x, side="right") - 1, 0), n - 2)
    start, end = np.take(xp, k), np.take(xp, k + 1)
    low, high = np.take(fp, k), np.take(fp, k + 1)
    inside = low + (high - low) / (end - start) * (x - start)
    inner = np.where(x == xp[-1], fp[-1], inside)
    return np.where(x < xp[0], below, np.where(x > xp[-1], above, inner))


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    ends = y[..., 1:] + y[..., :-1]
    if x is None:
        return np.sum(dx * ends / 2.0, axis=-1)
    return np.sum((x[..., 1:] - x[..., :-1]) * ends / 2.0, axis=-1)


def full_convolution(a: Any, v: Any) -> Any:
    n, m = len(a), len(v)
    if n == 0 or m == 0:
        raise ValueError("an empty array")
    out = np.zeros(n + m - 1, np.result_type(a, v))
    for k in range(m):
        out[k : k + n] += v[k] * a
    return out


def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    out = full_convolution(a, v)
    if mode == "full":
        return out
    n, m = len(a), len(v)
    less, more = min(n, m), max(n, m)
    if mode == "same":
        start = (less - 1) // 2
        return out[start : start + more]
    return out[less - 1 : more]


def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    if len(v) > len(a):
        raise ValueError("the other way round")
    out = full_convolution(a, v[::-1])
    if mode == "full":
        return out
    n, m = len(a), len(v)
    if mode == "same":
        start = (m - 1) // 2
        return out[start : start + n]
    return out[m - 1 : n]


STAND_INS = {
    ("numpy", "interp"): interp,
    ("numpy", "trapezoid"): trapezoid,
    ("numpy", "trapz"): trapezoid,
    ("scipy.integrate", "trapezoid"): trapezoid,
    ("numpy", "convolve"): convolve,
    ("numpy", "correlate"): correlate,
}
