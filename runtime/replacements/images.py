"""Images read between their pixels, and filtered by the order of their pixels, as programs of NumPy in place of SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = [
    "grey_closing", "grey_dilation", "grey_erosion", "grey_opening", "map_coordinates", "maximum_filter",
    "minimum_filter",
]  # fmt: skip


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


# -- the least and the largest of a window around each pixel ------------------------------------

MARGINS = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap"}


def windows(
    x: Any, size: Any, footprint: Any, output: Any, mode: Any, cval: Any, before: Any
) -> Any:
    """Of each pixel the window around it, along a last axis; ``before`` tells how far one of this length begins before it."""
    if output is not None:
        raise UnsupportedOperation("a filter that writes to an array", fix="take its result")
    if footprint is not None or size is None:
        raise UnsupportedOperation(
            "a filter whose window is no rectangle", fix="give the lengths of its sides: size=3"
        )
    x = np.asarray(x)
    sides = np.asarray(size, dtype=int) * np.ones(x.ndim, dtype=int)
    first = before(sides)
    margins = np.stack([first, sides - 1 - first], axis=-1)
    if mode == "constant":
        padded = np.pad(x, margins, constant_values=cval)
    else:
        padded = np.pad(x, margins, mode=MARGINS[mode])  # type: ignore[call-overload]
    seen = np.lib.stride_tricks.sliding_window_view(padded, tuple(sides))
    return np.reshape(seen, (*x.shape, -1))


def half(n: Any) -> Any:
    return n // 2


def half_of_more(n: Any) -> Any:
    return (n - 1) // 2


def minimum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:  # fmt: skip
    return np.min(windows(input, size, footprint, output, mode, cval, half), axis=-1)


def maximum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:  # fmt: skip
    return np.max(windows(input, size, footprint, output, mode, cval, half), axis=-1)


def grey_erosion(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:  # fmt: skip
    footprint = footprint if structure is None else structure
    return minimum_filter(input, size, footprint, output, mode, cval)


def grey_dilation(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:  # fmt: skip
    footprint = footprint if structure is None else structure
    return np.max(windows(input, size, footprint, output, mode, cval, half_of_more), axis=-1)


def grey_opening(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:  # fmt: skip
    least = grey_erosion(input, size, footprint, structure, output, mode, cval)
    return grey_dilation(least, size, footprint, structure, None, mode, cval)


def grey_closing(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:  # fmt: skip
    largest = grey_dilation(input, size, footprint, structure, output, mode, cval)
    return grey_erosion(largest, size, footprint, structure, None, mode, cval)
