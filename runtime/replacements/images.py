"""Images read between their pixels, as a program of NumPy that is differentiated in place of SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = ["map_coordinates"]


def inside(t: Any, n: int, mode: Any) -> Any:
    """The coordinate ``t`` brought into an axis of ``n`` pixels, as the boundary ``mode`` says."""
    last = n - 1
    if mode == "nearest":
        return np.clip(t, 0, last)
    if mode == "mirror":
        period = max(2 * last, 1)
        back = t - period * np.floor(t / period)
        return np.where(back > last, period - back, back)
    return t


def map_coordinates(
    input: Any, coordinates: Any, order: int = 3, mode: Any = "constant", cval: Any = 0.0
) -> Any:
    if order != 1 or mode not in ("constant", "nearest", "mirror"):
        raise UnsupportedOperation(
            f"map_coordinates: no derivative for order={order}, mode={mode!r}",
            fix="use order=1 and one of the modes constant, nearest, mirror",
        )
    x, t = np.asarray(input), np.asarray(coordinates, dtype=float)
    if not np.issubdtype(x.dtype, np.inexact):
        raise UnsupportedOperation(
            "map_coordinates: an image of integers gives integers, which have no derivative",
            fix="make floats of it: image.astype(float)",
        )
    d = x.ndim
    spots = [inside(t[k], x.shape[k], mode) for k in range(d)]
    lows = [np.clip(np.floor(spots[k]).astype(int), 0, max(x.shape[k] - 2, 0)) for k in range(d)]
    z: Any = 0.0
    for corner in range(2**d):
        weight, index = 1.0, 0
        for k in range(d):
            up = corner // 2**k % 2
            part = spots[k] - lows[k]
            weight = weight * (part if up else 1 - part)
            index = index * x.shape[k] + np.minimum(lows[k] + up, x.shape[k] - 1)
        z = z + weight * np.ravel(x)[index]
    if mode == "constant":
        ins = np.all([(t[k] >= 0) & (t[k] <= x.shape[k] - 1) for k in range(d)], axis=0)
        z = np.where(ins, z, cval)
    return np.asarray(z, dtype=x.dtype)
