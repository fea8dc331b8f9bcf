"""Tests and regressions of ``scipy.stats`` as programs of NumPy: their statistics and p-values have derivatives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from ..errors import UnsupportedOperation

__all__ = [
    "bartlett", "chisquare", "describe", "f_oneway", "jarque_bera", "levene", "linregress", "power_divergence",
    "ttest_1samp", "ttest_ind", "ttest_rel",
]  # fmt: skip

POWERS = {
    "pearson": 1.0, "log-likelihood": 0.0, "freeman-tukey": -0.5, "mod-log-likelihood": -1.0,
    "neyman": -2.0, "cressie-read": 2.0 / 3.0,
}  # fmt: skip


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


# -- of several samples, and of counts -------------------------------------------------------


def without_options(axis: Any, keepdims: Any) -> None:
    if axis != 0 or keepdims:
        raise UnsupportedOperation("there is no derivative of this test along another axis")


def f_oneway(
    *samples: Any, axis: Any = 0, equal_var: Any = True, nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """The analysis of variance: how far the means of samples lie apart, for the spread within them."""
    propagates(nan_policy)
    without_options(axis, keepdims)
    if not equal_var:
        raise UnsupportedOperation("there is no derivative of Welch's test")
    arrays = [np.asarray(a) for a in samples]
    return ratio_of_spreads(arrays)


def ratio_of_spreads(arrays: Any) -> Any:
    """The statistic of Fisher of samples, and how likely one is that is as large."""
    total = 0.0
    n = 0
    for a in arrays:
        total = total + np.sum(a, axis=0)
        n += a.shape[0]
    mean = total / n
    among, within = 0.0, 0.0
    for a in arrays:
        own = np.mean(a, axis=0)
        among = among + a.shape[0] * (own - mean) ** 2
        within = within + np.sum((a - own) ** 2, axis=0)
    k = len(arrays)
    f = (among / (k - 1)) / (within / (n - k))
    return Statistic(f, stats.f.sf(f, k - 1, n - k))


def levene(
    *samples: Any, center: Any = "median", proportiontocut: Any = 0.05, axis: Any = 0,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """Fisher's test of the distances from the middle."""
    propagates(nan_policy)
    without_options(axis, keepdims)
    if center == "median":
        return ratio_of_spreads(
            [np.abs(np.asarray(a) - np.median(np.asarray(a), axis=0)) for a in samples]
        )
    if center == "mean":
        return ratio_of_spreads(
            [np.abs(np.asarray(a) - np.mean(np.asarray(a), axis=0)) for a in samples]
        )
    raise UnsupportedOperation(f"there is no derivative with center={center!r}")


def bartlett(
    *samples: Any, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """Whether samples have one variance."""
    propagates(nan_policy)
    without_options(axis, keepdims)
    arrays = [np.asarray(a) for a in samples]
    n, k = sum([a.shape[0] for a in arrays]), len(arrays)
    pooled, logs, inverse = 0.0, 0.0, 0.0
    for a in arrays:
        variance, free = np.var(a, axis=0, ddof=1), a.shape[0] - 1
        pooled = pooled + free * variance / (n - k)
        logs = logs + free * np.log(variance)
        inverse = inverse + 1.0 / free
    t = ((n - k) * np.log(pooled) - logs) / (1.0 + (inverse - 1.0 / (n - k)) / (3 * (k - 1)))
    return Statistic(t, stats.chi2.sf(t, k - 1))


def chisquare(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, *, sum_check: Any = True,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    return divergence(f_obs, f_exp, ddof, axis, 1.0, sum_check, nan_policy, keepdims)


def power_divergence(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, lambda_: Any = None, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    power = 1.0 if lambda_ is None else lambda_
    if isinstance(power, str):
        power = POWERS[power]
    return divergence(f_obs, f_exp, ddof, axis, power, True, nan_policy, keepdims)


def divergence(
    f_obs: Any, f_exp: Any, ddof: Any, axis: Any, power: Any, sum_check: Any, nan_policy: Any,
    keepdims: Any,
) -> Any:  # fmt: skip
    """How far counts lie from what is expected, in the way of Cressie and Read."""
    propagates(nan_policy)
    seen = np.asarray(f_obs) * 1.0
    if f_exp is None:
        wanted = np.mean(seen, axis=axis, keepdims=True)
    else:
        wanted = np.asarray(f_exp) * 1.0
        checked(seen, wanted, axis, sum_check)
    if power == 1.0:
        terms = (seen - wanted) ** 2 / wanted
    elif power == 0.0:
        terms = 2.0 * special.xlogy(seen, seen / wanted)
    elif power == -1.0:
        terms = 2.0 * special.xlogy(wanted, wanted / seen)
    else:
        terms = seen * ((seen / wanted) ** power - 1.0) / (0.5 * power * (power + 1.0))
    t = np.sum(terms, axis=axis, keepdims=keepdims)
    number = terms.size if axis is None else terms.shape[axis]
    return Statistic(t, stats.chi2.sf(t, number - 1 - ddof))


def checked(seen: Any, wanted: Any, axis: Any, sum_check: Any) -> None:
    """Both sums are the same, as SciPy holds."""
    if sum_check:
        one, other = np.sum(seen, axis=axis), np.sum(wanted, axis=axis)
        if np.any(np.abs(one - other) > 1.4901161193847656e-08 * np.minimum(one, other)):
            raise ValueError("the sums of the observed and of the expected frequencies must agree")


def jarque_bera(
    x: Any, *, axis: Any = None, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """Whether skewness and kurtosis are those of a normal distribution."""
    propagates(nan_policy)
    x = np.asarray(x)
    n = x.size if axis is None else x.shape[axis]
    s, k = stats.skew(x, axis, keepdims=keepdims), stats.kurtosis(x, axis, keepdims=keepdims)
    t = n / 6.0 * (s * s + k * k / 4.0)
    return Statistic(t, stats.chi2.sf(t, 2))
