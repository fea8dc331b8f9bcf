"""Tests and regressions of ``scipy.stats`` as programs of NumPy: their statistics and p-values have derivatives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from ..errors import UnsupportedOperation

__all__ = ["describe", "linregress", "ttest_1samp", "ttest_ind", "ttest_rel"]


class Statistic(NamedTuple):
    """The result of a test."""

    statistic: Any
    pvalue: Any


class Line(NamedTuple):
    """The result of ``stats.linregress``."""

    slope: Any
    intercept: Any
    rvalue: Any
    pvalue: Any
    stderr: Any


class Description(NamedTuple):
    """The result of ``stats.describe``."""

    nobs: Any
    minmax: Any
    mean: Any
    variance: Any
    skewness: Any
    kurtosis: Any


def linregress(
    x: Any, y: Any, alternative: Any = "two-sided", *, nan_policy: Any = "propagate"
) -> Any:
    """The line of least squares through points."""
    propagates(nan_policy)
    x, y = np.asarray(x), np.asarray(y)
    u, v = x - np.mean(x), y - np.mean(y)
    uu, uv, vv = np.sum(u * u), np.sum(u * v), np.sum(v * v)
    slope, r, free = uv / uu, uv / np.sqrt(uu * vv), len(x) - 2
    t = r * np.sqrt(free / ((1.0 - r) * (1.0 + r)))
    stderr = np.sqrt((1.0 - r * r) * vv / uu / free)
    intercept = np.mean(y) - slope * np.mean(x)
    return Line(slope, intercept, r, p_value(t, free, alternative), stderr)


def propagates(nan_policy: Any) -> None:
    if nan_policy != "propagate":
        raise UnsupportedOperation(f"there is no derivative with nan_policy={nan_policy!r}")


def p_value(t: Any, free: Any, alternative: Any) -> Any:
    """How likely a value of Student's distribution is that is as far out."""
    if alternative == "two-sided":
        return 2 * stats.t.sf(np.abs(t), free)
    if alternative == "less":
        return stats.t.cdf(t, free)
    if alternative == "greater":
        return stats.t.sf(t, free)
    raise UnsupportedOperation(f"there is no alternative {alternative!r}")


def ttest_1samp(
    a: Any,
    popmean: Any,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    alternative: Any = "two-sided",
) -> Any:
    propagates(nan_policy)
    a = np.asarray(a)
    free = a.shape[axis] - 1
    t = (np.mean(a, axis) - popmean) / np.sqrt(np.var(a, axis, ddof=1) / a.shape[axis])
    return Statistic(t, p_value(t, free, alternative))


def ttest_rel(
    a: Any,
    b: Any,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    alternative: Any = "two-sided",
) -> Any:
    return ttest_1samp(np.asarray(a) - np.asarray(b), 0.0, axis, nan_policy, alternative)


def ttest_ind(
    a: Any,
    b: Any,
    *,
    axis: Any = 0,
    equal_var: Any = True,
    nan_policy: Any = "propagate",
    alternative: Any = "two-sided",
) -> Any:
    propagates(nan_policy)
    a, b = np.asarray(a), np.asarray(b)
    n, m = a.shape[axis], b.shape[axis]
    v, w = np.var(a, axis, ddof=1), np.var(b, axis, ddof=1)
    if equal_var:
        free = n + m - 2.0
        pooled = ((n - 1) * v + (m - 1) * w) / free
        width = np.sqrt(pooled * (1.0 / n + 1.0 / m))
    else:
        free = (v / n + w / m) ** 2 / ((v / n) ** 2 / (n - 1) + (w / m) ** 2 / (m - 1))
        width = np.sqrt(v / n + w / m)
    t = (np.mean(a, axis) - np.mean(b, axis)) / width
    return Statistic(t, p_value(t, free, alternative))


def describe(
    a: Any, axis: Any = 0, ddof: Any = 1, bias: Any = True, nan_policy: Any = "propagate"
) -> Any:
    propagates(nan_policy)
    a = np.asarray(a)
    ends = (np.min(a, axis), np.max(a, axis))
    skewness, kurtosis = stats.skew(a, axis, bias), stats.kurtosis(a, axis, True, bias)
    return Description(
        a.shape[axis], ends, np.mean(a, axis), np.var(a, axis, ddof=ddof), skewness, kurtosis
    )
