"""What runs along an axis: products of all before, recurrences, slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd import runtime as rt

from .elementwise import check_floats

__all__ = ["STAND_INS"]


def rows(c: Any, axis: Any = None) -> Any:
    if np.ndim(c) == 1:
        return c
    return np.ravel(c) if axis is None else np.moveaxis(c, axis, -1)


def unrows(c: Any, like: Any, axis: Any = None) -> Any:
    if np.ndim(like) == 1:
        return c
    return rt.reshape_like(c, like) if axis is None else np.moveaxis(c, -1, axis)


def before(x: Any) -> Any:
    out = np.ones_like(x)
    for k in range(1, x.shape[-1]):
        out[..., k] = out[..., k - 1] * x[..., k - 1]
    return out


def recur(c: Any, a: Any) -> Any:
    y = c.copy()
    for k in range(1, y.shape[-1]):
        y[..., k] += a[..., k] * y[..., k - 1]
    return y


def sum_along(c: Any, like: Any, axis: Any = 0) -> Any:
    if np.ndim(c) == 1:
        return rt.reshape_like(c, like)
    first = np.moveaxis(c, axis, 0)
    return rt.reshape_like(np.sum(np.reshape(first, (len(first), -1)), axis=1), like)


def gradient(f: Any, step: Any = 1.0, *, axis: Any = None, edge_order: Any = 1) -> Any:
    check_floats(f)
    if np.ndim(step) != 0 or edge_order != 1 or (axis is None and np.ndim(f) != 1):
        raise ValueError("no slope along one axis, of even steps")
    place = 0 if axis is None else axis
    y = np.moveaxis(f, place, 0)
    if len(y) < 2:
        raise ValueError("one point")
    slope = np.zeros_like(y)
    slope[1:-1] = (y[2:] - y[:-2]) / (2.0 * step)
    slope[0] = (y[1] - y[0]) / step
    slope[-1] = (y[-1] - y[-2]) / step
    return np.moveaxis(slope, 0, place)


def unslope(c: Any, like: Any, step: Any, axis: Any, edge_order: Any = 1) -> Any:
    if np.ndim(step) != 0 or edge_order != 1:
        raise ValueError("steps that differ")
    slope = np.moveaxis(c, axis, 0)
    bar = np.zeros_like(slope)
    inside = slope[1:-1] / (2.0 * step)
    bar[2:] += inside
    bar[:-2] -= inside
    bar[1] += slope[0] / step
    bar[0] -= slope[0] / step
    bar[-1] += slope[-1] / step
    bar[-2] -= slope[-1] / step
    return np.moveaxis(bar, 0, axis)


STAND_INS: dict[tuple[str, str], Any] = {
    ("retrograd.runtime", f.__name__): f for f in (rows, unrows, before, recur, sum_along, unslope)
} | {("numpy", "gradient"): gradient}
