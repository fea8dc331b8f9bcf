"""Descriptive statistics of ``scipy.stats`` as programs of NumPy: of quantiles, of logarithms, of directions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special, stats

from .statistics import propagates

__all__ = [
    "boxcox_llf", "circmean", "circstd", "circvar", "gstd", "gzscore", "iqr", "median_abs_deviation", "yeojohnson",
    "yeojohnson_llf",
]  # fmt: skip

NORMAL = special.ndtri(0.75)


def iqr(
    x: Any, axis: Any = None, rng: Any = (25, 75), scale: Any = 1.0, nan_policy: Any = "propagate",
    interpolation: Any = "linear", keepdims: Any = False,
) -> Any:  # fmt: skip
    """The way between two percentiles."""
    if nan_policy == "omit":
        percentile = np.nanpercentile
    else:
        propagates(nan_policy)
        percentile = np.percentile
    x = np.asarray(x)
    scale = 2 * NORMAL if isinstance(scale, str) and scale.lower() == "normal" else scale
    ends = sorted(rng)
    low = percentile(x, ends[0], axis=axis, method=interpolation, keepdims=keepdims)
    high = percentile(x, ends[1], axis=axis, method=interpolation, keepdims=keepdims)
    return (high - low) / scale


def median_abs_deviation(
    x: Any, axis: Any = 0, center: Any = None, scale: Any = 1.0, nan_policy: Any = "propagate", *,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """The median of the distances from the middle."""
    if nan_policy == "omit" and center is None:
        median = np.nanmedian
    else:
        propagates(nan_policy)
        median = np.median
    x = np.asarray(x)
    scale = NORMAL if isinstance(scale, str) and scale.lower() == "normal" else scale
    if center is None:
        middle = median(x, axis=axis, keepdims=True)
    elif axis is None:
        middle = center(x, axis=None)
    else:
        middle = np.expand_dims(center(x, axis=axis), axis)
    return median(np.abs(x - middle), axis=axis, keepdims=keepdims) / scale


def gstd(
    a: Any, axis: Any = 0, ddof: Any = 1, *, keepdims: Any = False, nan_policy: Any = "propagate"
) -> Any:
    """The geometric standard deviation."""
    propagates(nan_policy)
    return np.exp(np.std(np.log(np.asarray(a)), axis=axis, ddof=ddof, keepdims=keepdims))


def gzscore(a: Any, *, axis: Any = 0, ddof: Any = 0, nan_policy: Any = "propagate") -> Any:
    propagates(nan_policy)
    return stats.zscore(np.log(np.asarray(a)), axis=axis, ddof=ddof)


def mean_direction(samples: Any, high: Any, low: Any, axis: Any, keepdims: Any) -> Any:
    """The mean of the samples as points of the unit circle."""
    angle = np.asarray(samples) * (2.0 * np.pi / (high - low))
    s = np.mean(np.sin(angle), axis=axis, keepdims=keepdims)
    c = np.mean(np.cos(angle), axis=axis, keepdims=keepdims)
    return s, c


def circmean(
    samples: Any, high: Any = 2 * np.pi, low: Any = 0, axis: Any = None,
    nan_policy: Any = "propagate", *, keepdims: Any = False,
) -> Any:  # fmt: skip
    propagates(nan_policy)
    s, c = mean_direction(samples, high, low, axis, keepdims)
    period = high - low
    return (np.arctan2(s, c) * (period / (2.0 * np.pi)) - low) % period + low


def circvar(
    samples: Any, high: Any = 2 * np.pi, low: Any = 0, axis: Any = None,
    nan_policy: Any = "propagate", *, keepdims: Any = False,
) -> Any:  # fmt: skip
    propagates(nan_policy)
    s, c = mean_direction(samples, high, low, axis, keepdims)
    return 1.0 - np.sqrt(s * s + c * c)


def circstd(
    samples: Any, high: Any = 2 * np.pi, low: Any = 0, axis: Any = None,
    nan_policy: Any = "propagate", *, normalize: Any = False, keepdims: Any = False,
) -> Any:  # fmt: skip
    propagates(nan_policy)
    s, c = mean_direction(samples, high, low, axis, keepdims)
    spread = np.sqrt(-np.log(s * s + c * c))
    return spread if normalize else spread * ((high - low) / (2.0 * np.pi))


def boxcox_llf(
    lmb: Any, data: Any, *, axis: Any = 0, keepdims: Any = False, nan_policy: Any = "propagate"
) -> Any:
    """The likelihood of the power that makes data normal."""
    propagates(nan_policy)
    data = np.asarray(data)
    logs = np.mean(np.log(data), axis=axis, keepdims=keepdims)
    variance = np.var(special.boxcox(data, lmb), axis=axis, keepdims=keepdims)
    return number(data, axis) * ((lmb - 1.0) * logs - np.log(variance) / 2.0)


def yeojohnson(x: Any, lmbda: Any) -> Any:
    """The power of Box and Cox of what lies beyond zero, on both sides."""
    x = np.asarray(x)
    above = special.boxcox1p(np.where(x >= 0, x, 0.0), lmbda)
    below = special.boxcox1p(np.where(x >= 0, 0.0, -x), 2.0 - lmbda)
    return np.where(x >= 0, above, -below)


def yeojohnson_llf(
    lmb: Any, data: Any, *, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    propagates(nan_policy)
    data = np.asarray(data)
    logs = np.mean(np.sign(data) * np.log1p(np.abs(data)), axis=axis, keepdims=keepdims)
    variance = np.var(yeojohnson(data, lmb), axis=axis, keepdims=keepdims)
    return number(data, axis) * ((lmb - 1.0) * logs - np.log(variance) / 2.0)


def number(a: Any, axis: Any) -> Any:
    return a.size if axis is None else a.shape[axis]
