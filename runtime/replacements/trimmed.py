"""Statistics of ``scipy.stats`` that leave out the outer values, as programs of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .statistics import propagates

__all__ = ["tmax", "tmean", "tmin", "trim1", "trim_mean", "trimboth", "tsem", "tstd", "tvar"]  # fmt: skip


def between(a: Any, limits: Any, inclusive: Any) -> Any:
    """Where the values lie between two limits; a NaN does, for the result to show it."""
    low, high = (None, None) if limits is None else limits
    inside = np.ones(a.shape, bool)
    if low is not None:
        inside = inside & np.logical_not(a < low if inclusive[0] else a <= low)
    if high is not None:
        inside = inside & np.logical_not(a > high if inclusive[1] else a >= high)
    return inside


def within(a: Any, limits: Any, inclusive: Any, nan_policy: Any) -> Any:
    """An array, and which of its values count."""
    propagates(nan_policy)
    a = np.asarray(a)
    return a, between(a, limits, inclusive)


def tmean(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = None, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, limits, inclusive, nan_policy)
    return np.mean(a, axis=axis, where=inside, keepdims=keepdims)


def tvar(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, limits, inclusive, nan_policy)
    return np.var(a, axis=axis, ddof=ddof, where=inside, keepdims=keepdims)


def tstd(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, limits, inclusive, nan_policy)
    return np.std(a, axis=axis, ddof=ddof, where=inside, keepdims=keepdims)


def tsem(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, limits, inclusive, nan_policy)
    number = np.sum(inside, axis=axis, keepdims=keepdims)
    return np.std(a, axis=axis, ddof=ddof, where=inside, keepdims=keepdims) / np.sqrt(number)


def tmin(
    a: Any, lowerlimit: Any = None, axis: Any = 0, inclusive: Any = True,
    nan_policy: Any = "propagate", *, keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, (lowerlimit, None), (inclusive, None), nan_policy)
    least = np.min(np.where(inside, a, np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.any(inside, axis=axis, keepdims=keepdims), least, np.nan)[()]


def tmax(
    a: Any, upperlimit: Any = None, axis: Any = 0, inclusive: Any = True,
    nan_policy: Any = "propagate", *, keepdims: Any = False,
) -> Any:  # fmt: skip
    a, inside = within(a, (None, upperlimit), (None, inclusive), nan_policy)
    most = np.max(np.where(inside, a, -np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.any(inside, axis=axis, keepdims=keepdims), most, np.nan)[()]


def cut(a: Any, low: Any, high: Any, axis: Any) -> Any:
    """The values between two places of their order."""
    parted = np.partition(a, (low, high - 1), axis)
    return np.moveaxis(np.moveaxis(parted, axis, 0)[low:high], 0, axis)


def trimboth(a: Any, proportiontocut: Any, axis: Any = 0) -> Any:
    a = np.asarray(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    low = int(proportiontocut * a.shape[axis])
    high = a.shape[axis] - low
    if low >= high:
        raise ValueError("Proportion too big.")
    return cut(a, low, high, axis)


def trim1(a: Any, proportiontocut: Any, tail: Any = "right", axis: Any = 0) -> Any:
    a = np.asarray(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    n = a.shape[axis]
    number = int(proportiontocut * n)
    if tail.lower() == "right":
        return cut(a, 0, n - number, axis)
    return cut(a, number, n, axis)


def trim_mean(
    a: Any, proportiontocut: Any, axis: Any = 0, *, nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:  # fmt: skip
    propagates(nan_policy)
    if axis is None and keepdims:
        whole = trimboth(a, proportiontocut, None)
        return np.reshape(np.mean(whole), (1,) * np.ndim(a))
    inner = trimboth(a, proportiontocut, axis)
    return np.mean(inner, axis=0 if axis is None else axis, keepdims=keepdims)
