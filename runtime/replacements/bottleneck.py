"""Statistics of Bottleneck, which pass over NaN, as programs of NumPy; of all entries they give Python's numbers.

They are differentiated in place of Bottleneck's compiled functions, which are not looked at unless the program has
imported them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = [
    "allnan", "anynan", "median", "move_max", "move_mean", "move_min", "move_std", "move_sum", "move_var", "nanargmax",
    "nanargmin", "nanmax", "nanmean", "nanmedian", "nanmin", "nanstd", "nansum", "nanvar", "ss",
]  # fmt: skip


def number(z: Any) -> Any:
    """What is left of all entries as a number of Python's; along an axis an array is left."""
    return z.item() if np.ndim(z) == 0 else z


def nansum(a: Any, axis: Any = None) -> Any:
    return number(np.nansum(a, axis=axis))


def nanmean(a: Any, axis: Any = None) -> Any:
    return number(np.nanmean(a, axis=axis))


def nanvar(a: Any, axis: Any = None, ddof: Any = 0) -> Any:
    return number(np.nanvar(a, axis=axis, ddof=ddof))


def nanstd(a: Any, axis: Any = None, ddof: Any = 0) -> Any:
    return number(np.nanstd(a, axis=axis, ddof=ddof))


def nanmax(a: Any, axis: Any = None) -> Any:
    return number(np.nanmax(a, axis=axis))


def nanmin(a: Any, axis: Any = None) -> Any:
    return number(np.nanmin(a, axis=axis))


def nanmedian(a: Any, axis: Any = None) -> Any:
    return number(np.nanmedian(a, axis=axis))


def median(a: Any, axis: Any = None) -> Any:
    return number(np.median(a, axis=axis))


def ss(a: Any, axis: Any = None) -> Any:
    """The sum of the squares."""
    return number(np.sum(np.square(a), axis=axis))


def nanargmax(a: Any, axis: Any = None) -> Any:
    return number(np.nanargmax(a, axis=axis))


def nanargmin(a: Any, axis: Any = None) -> Any:
    return number(np.nanargmin(a, axis=axis))


def anynan(a: Any, axis: Any = None) -> Any:
    return number(np.any(np.isnan(a), axis=axis))


def allnan(a: Any, axis: Any = None) -> Any:
    return number(np.all(np.isnan(a), axis=axis))


# -- windows: of the last entries up to each ---------------------------------------------------


def windows(a: Any, window: Any, axis: Any) -> Any:
    """The entries up to each one, along a last axis; NaN where there are none."""
    rows = np.moveaxis(np.asarray(a), axis, -1)
    if window < 1 or window > np.shape(rows)[-1]:
        raise ValueError(f"Moving window (={window}) must be between 1 and {np.shape(rows)[-1]}")
    before = np.full_like(1.0 * rows[..., : window - 1], np.nan)
    whole = np.concatenate((before, rows), axis=-1)
    return np.lib.stride_tricks.sliding_window_view(whole, window, axis=-1)


def counts(parts: Any) -> Any:
    """How many entries each window has; none is taken for one."""
    number = np.sum(np.logical_not(np.isnan(parts)), axis=-1)
    return np.maximum(number, 1).astype(parts.dtype)


def filled(parts: Any, with_: Any) -> Any:
    return np.where(np.isnan(parts), with_, parts)


def moved(z: Any, parts: Any, min_count: Any, axis: Any) -> Any:
    """The results where a window has entries enough, NaN elsewhere."""
    number = np.sum(np.logical_not(np.isnan(parts)), axis=-1)
    enough = number >= (np.shape(parts)[-1] if min_count is None else min_count)
    return np.moveaxis(np.where(enough, z, np.nan), -1, axis)


def move_sum(a: Any, window: Any, min_count: Any = None, axis: Any = -1) -> Any:
    parts = windows(a, window, axis)
    return moved(np.sum(filled(parts, 0.0), axis=-1), parts, min_count, axis)


def move_mean(a: Any, window: Any, min_count: Any = None, axis: Any = -1) -> Any:
    parts = windows(a, window, axis)
    return moved(np.sum(filled(parts, 0.0), axis=-1) / counts(parts), parts, min_count, axis)


def move_max(a: Any, window: Any, min_count: Any = None, axis: Any = -1) -> Any:
    parts = windows(a, window, axis)
    return moved(np.max(filled(parts, -np.inf), axis=-1), parts, min_count, axis)


def move_min(a: Any, window: Any, min_count: Any = None, axis: Any = -1) -> Any:
    parts = windows(a, window, axis)
    return moved(np.min(filled(parts, np.inf), axis=-1), parts, min_count, axis)


def move_var(a: Any, window: Any, min_count: Any = None, axis: Any = -1, ddof: Any = 0) -> Any:
    parts = windows(a, window, axis)
    return moved(variance(parts, min_count, ddof), parts, min_count, axis)


def move_std(a: Any, window: Any, min_count: Any = None, axis: Any = -1, ddof: Any = 0) -> Any:
    parts = windows(a, window, axis)
    return moved(np.sqrt(variance(parts, min_count, ddof)), parts, min_count, axis)


def variance(parts: Any, min_count: Any, ddof: Any) -> Any:
    """The variance in each window; 1 where there is none."""
    if ddof >= (np.shape(parts)[-1] if min_count is None else min_count):
        raise UnsupportedOperation(
            "the variance in windows that may have no more than `ddof` entries"
        )
    number = counts(parts)
    mean = np.sum(filled(parts, 0.0), axis=-1) / number
    squares = np.sum(np.square(filled(parts - mean[..., None], 0.0)), axis=-1)
    return np.where(number > ddof, squares / np.maximum(number - ddof, 1), 1.0)


for _name in __all__:
    globals()[_name].of_values = True  # of what is not differentiated it is Bottleneck's
