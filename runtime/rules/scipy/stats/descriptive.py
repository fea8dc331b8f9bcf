"""Differentials of descriptive statistics: means, moments, scores, entropy, correlation.

Weights and the handling of nan are left out, so a call that passes them is refused.
"""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import stats as extra
from ....replacements import spreads, statistics, trimmed
from ...book import constant, rule
from ...programs import programs
from ...traits import traits

for texts in (statistics, spreads, trimmed):
    programs |= {getattr(stats, name): getattr(texts, name) for name in texts.__all__}
constant(extra.skew_factor, extra.kurtosis_factor, extra.entropy_unit)


@rule(stats.gmean)
def gmean(z, a, axis=0, keepdims=False, *, da):
    return z * np.mean(da / a, axis=axis, keepdims=keepdims)


@rule(stats.hmean)
def hmean(z, a, axis=0, keepdims=False, *, da):
    return z * z * np.mean(da / (a * a), axis=axis, keepdims=keepdims)


@rule(stats.pmean)
def pmean(z, a, p, axis=0, keepdims=False, *, da):
    return z ** (1 - p) * np.mean(a ** (p - 1) * da, axis=axis, keepdims=keepdims)


@rule(stats.sem)
def sem(z, a, axis=0, ddof=1, keepdims=False, *, da):
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    n = linear.count(a, axis)
    return linear.divide_or_zero(
        np.mean(deviation * da, axis=axis, keepdims=keepdims), (n - ddof) * z
    )


@rule(stats.variation)
def variation(z, a, axis=0, ddof=0, keepdims=False, *, da):
    mean = np.mean(a, axis=axis, keepdims=True)
    deviation = a - mean
    n = linear.count(a, axis)
    m = np.mean(a, axis=axis, keepdims=keepdims)
    spread = (n - ddof) / n * z * m * m
    return linear.divide_or_zero(
        np.mean(deviation * da, axis=axis, keepdims=keepdims), spread
    ) - z / m * np.mean(da, axis=axis, keepdims=keepdims)


@rule(stats.moment)
def moment(z, a, order=1, axis=0, keepdims=False, *, da):
    slope = order * (a - np.mean(a, axis=axis, keepdims=True)) ** (order - 1)
    return np.mean(
        (slope - np.mean(slope, axis=axis, keepdims=True)) * da, axis=axis, keepdims=keepdims
    )


@rule(stats.skew)
def skew(z, a, axis=0, bias=True, keepdims=False, *, da):
    sigma = np.std(a, axis=axis, keepdims=True)
    s = (a - np.mean(a, axis=axis, keepdims=True)) / sigma
    slope = s * s - 1 - np.mean(s**3, axis=axis, keepdims=True) * s
    factor = 3 * extra.skew_factor(linear.count(a, axis), bias)
    return factor * np.mean(slope / sigma * da, axis=axis, keepdims=keepdims)


@rule(stats.kurtosis)
def kurtosis(z, a, axis=0, fisher=True, bias=True, keepdims=False, *, da):
    sigma = np.std(a, axis=axis, keepdims=True)
    s = (a - np.mean(a, axis=axis, keepdims=True)) / sigma
    third = np.mean(s**3, axis=axis, keepdims=True)
    fourth = np.mean(s**4, axis=axis, keepdims=True)
    factor = 4 * extra.kurtosis_factor(linear.count(a, axis), bias)
    return factor * np.mean((s**3 - third - fourth * s) / sigma * da, axis=axis, keepdims=keepdims)


@rule(stats.zscore)
def zscore(z, a, axis=0, ddof=0, *, da):
    sigma = np.std(a, axis=axis, ddof=ddof, keepdims=True)
    n = linear.count(a, axis)
    return (
        da
        - linear.stretch(np.mean(da, axis=axis, keepdims=True), z)
        - n / (n - ddof) * z * linear.stretch(np.mean(z * da, axis=axis, keepdims=True), z)
    ) / sigma


@rule(stats.zmap, broadcasts=True)
def zmap(z, scores, compare, axis=0, ddof=0, *, dscores, dcompare):
    sigma = np.std(compare, axis=axis, ddof=ddof, keepdims=True)
    s = (compare - np.mean(compare, axis=axis, keepdims=True)) / sigma
    n = linear.count(compare, axis)
    return (
        dscores / sigma
        - linear.stretch(np.mean(dcompare / sigma, axis=axis, keepdims=True), z)
        - n
        / (n - ddof)
        * z
        * linear.stretch(np.mean(s / sigma * dcompare, axis=axis, keepdims=True), z)
    )


@rule(stats.entropy)
def entropy(z, pk, qk=None, base=None, axis=0, keepdims=False, *, dpk, dqk):
    reference = extra.reference(qk, pk)
    unit = extra.entropy_unit(qk, base)
    whole_p = np.sum(pk, axis=axis, keepdims=True)
    whole_q = np.sum(reference, axis=axis, keepdims=True)
    p = pk / whole_p
    ratio = p / (reference / whole_q)
    mean = np.sum(special.xlogy(p, ratio), axis=axis, keepdims=True)
    return unit * (
        np.sum((np.log(ratio) - mean) / whole_p * dpk, axis=axis, keepdims=keepdims)
        + np.sum((1 - ratio) / whole_q * dqk, axis=axis, keepdims=keepdims)
    )


@rule(extra.reference)
def reference(z, qk, like, *, dqk):
    return 1.0 * dqk


@rule(stats.pearsonr)
def pearsonr(z, x, y, *, dx, dy):
    r = z[0]
    n = linear.count(x, 0)
    v = x - np.mean(x, axis=0, keepdims=True)
    w = y - np.mean(y, axis=0, keepdims=True)
    size_v = np.sqrt(np.sum(v * v, axis=0, keepdims=True))
    size_w = np.sqrt(np.sum(w * w, axis=0, keepdims=True))
    v = v / size_v
    w = w / size_w
    density = linear.convert(stats.beta.pdf(r, n / 2 - 1, n / 2 - 1, -1, 2), r)
    return (
        np.sum((w - r * v) / size_v * dx, axis=0) + np.sum((v - r * w) / size_w * dy, axis=0),
        -2 * linear.sign(r) * density * np.sum((w - r * v) / size_v * dx, axis=0)
        - 2 * linear.sign(r) * density * np.sum((v - r * w) / size_w * dy, axis=0),
    )


# -- on a batch -------------------------------------------------------------------------

traits(
    stats.gmean, stats.hmean, stats.pmean, stats.sem, stats.variation, stats.moment, stats.skew, stats.kurtosis,
    stats.zscore, batch="flat",
)  # fmt: skip
traits(extra.reference, batch="leading")
