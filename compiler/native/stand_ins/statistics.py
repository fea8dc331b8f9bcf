"""Averages, spreads and covariances, and what is left of arrays without what is no number."""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import check_floats

__all__ = ["STAND_INS"]


def ptp(a: Any, axis: Any = None) -> Any:
    return np.max(a, axis=axis) - np.min(a, axis=axis)


def align(c: Any, like: Any, axis: Any = None) -> Any:
    if c is None:
        return np.ones_like(like)
    if np.ndim(c) == np.ndim(like):
        return c
    if np.ndim(c) != 1 or np.ndim(axis) != 0 or axis is None:
        raise ValueError("weights along several axes")
    place = axis % np.ndim(like)
    last = np.broadcast_to(c, np.swapaxes(like, place, -1).shape)
    return np.swapaxes(last, place, -1)


def unalign(c: Any, like: Any, axis: Any = None) -> Any:
    if np.ndim(c) == np.ndim(like):
        return c
    first = np.moveaxis(c, axis, 0)
    return np.sum(np.reshape(first, (len(first), -1)), axis=1)


def average(a: Any, axis: Any = None, weights: Any = None, *, keepdims: Any = False) -> Any:
    check_floats(a)
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    check_floats(weights)
    full = align(weights, a, axis)
    scale = np.sum(full, axis=axis, keepdims=keepdims)
    if np.any(scale == 0):
        raise ZeroDivisionError("weights sum to zero")
    return np.sum(a * full, axis=axis, keepdims=keepdims) / scale


def there(a: Any) -> Any:
    """1 for a number, and 0 for what is none, as floats."""
    return np.where(np.isnan(a), 0, 1).astype(a.dtype)


def nancount(like: Any, axis: Any = None, keepdims: Any = False, ddof: Any = 0) -> Any:
    check_floats(like)
    n = np.sum(there(like), axis=axis, keepdims=keepdims) - ddof
    return np.where(n > 0, n, np.nan)


def nansum(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    check_floats(a)
    return np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=keepdims)


def nanprod(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    check_floats(a)
    return np.prod(np.where(np.isnan(a), 1.0, a), axis=axis, keepdims=keepdims)


def nancumsum(a: Any, axis: Any = None) -> Any:
    check_floats(a)
    return np.cumsum(np.where(np.isnan(a), 0.0, a), axis=axis)


def nancumprod(a: Any, axis: Any = None) -> Any:
    check_floats(a)
    return np.cumprod(np.where(np.isnan(a), 1.0, a), axis=axis)


def nanmean(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    count = nancount(a, axis, keepdims)
    return nansum(a, axis, keepdims) / count


def nanvar(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    gap = np.where(np.isnan(a), 0.0, a - nanmean(a, axis, keepdims=True))
    return np.sum(gap * gap, axis=axis, keepdims=keepdims) / nancount(a, axis, keepdims, ddof)


def nanstd(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    return np.sqrt(nanvar(a, axis, ddof=ddof, keepdims=keepdims))


def nanmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    check_floats(a)
    top = np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, top)


def nanmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    check_floats(a)
    low = np.min(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, low)


def centred(m: Any) -> Any:
    """Rows less their means, in double precision."""
    check_floats(m)
    if np.ndim(m) != 2:
        raise ValueError("no matrix")
    if m.shape[1] < 2:
        raise ValueError("one observation")
    rows = np.float64(m)
    return rows - np.mean(rows, axis=1, keepdims=True)


def cov(m: Any) -> Any:
    gap = centred(m)
    return gap @ gap.T / (m.shape[1] - 1)


def corrcoef(x: Any) -> Any:
    gap = centred(x)
    both = gap @ gap.T / (x.shape[1] - 1)
    spread = np.sqrt(np.diagonal(both))
    return np.clip(both / spread[:, None] / spread[None, :], -1.0, 1.0)


STAND_INS: dict[tuple[str, str], Any] = {
    ("numpy", f.__name__): f
    for f in (
        ptp, average, nansum, nanprod, nancumsum, nancumprod, nanmean, nanvar, nanstd, nanmax, nanmin,
        cov, corrcoef,
    )
} | {("retrograd.runtime", f.__name__): f for f in (align, unalign, nancount)}  # fmt: skip
