"""Differentials of SciPy's distributions on an interval."""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import cdf
from .distributions import density, quantile, tails


@density(stats.uniform, inside=0.5)
def uniform(u, *, du):
    return 0.0 * du


@density(stats.beta, inside=0.5)
def beta(u, a, b, *, du, da, db):
    both = special.digamma(a + b)
    return (
        (linear.div0(a - 1, u) - linear.div0(b - 1, 1 - u)) * du
        + (np.log(u) - special.digamma(a) + both) * da
        + (np.log1p(-u) - special.digamma(b) + both) * db
    )


@tails(stats.beta)
def beta_tails(u, a, b, *, da, db):
    v = np.clip(u, 0, 1)
    return cdf.betainc_partial(1, 0, 0, a, b, v) * da + cdf.betainc_partial(0, 1, 0, a, b, v) * db


@density(stats.powerlaw, inside=0.5)
def powerlaw(u, a, *, du, da):
    return linear.div0(a - 1, u) * du + (1 / a + np.log(u)) * da


@quantile(stats.powerlaw, inside=0.5)
def powerlaw_quantile(u, a, *, da):
    return -special.xlogy(u, u) / a * da


@density(stats.loguniform, stats.reciprocal, inside=0.5)
def loguniform(u, a, b, *, du, da, db):
    length = np.log(b / a)
    return -1 / u * du + 1 / (a * length) * da - 1 / (b * length) * db


@quantile(stats.loguniform, stats.reciprocal, inside=0.5)
def loguniform_quantile(u, a, b, *, da, db):
    length = np.log(b / a)
    at = np.log(u)
    return u * (np.log(b) - at) / (a * length) * da + u * (at - np.log(a)) / (b * length) * db


@density(stats.triang, inside=0.5)
def triang(u, c, *, du, dc):
    rising = u < c
    return (
        np.where(rising, linear.div0(1, u), -linear.div0(1, 1 - u)) * du
        + np.where(rising, linear.div0(-1, c), linear.div0(1, 1 - c)) * dc
    )


@tails(stats.triang)
def triang_tails(u, c, *, dc):
    v = np.clip(u, 0, 1)
    p = np.where(v < c, linear.div0(v, c), linear.div0(1 - v, 1 - c))
    return -p * p * dc


@density(stats.truncnorm, inside=0.5)
def truncnorm(u, a, b, *, du, da, db):
    return -u * du + stats.truncnorm.pdf(a, a, b) * da - stats.truncnorm.pdf(b, a, b) * db


@tails(stats.truncnorm)
def truncnorm_tails(u, a, b, *, da, db):
    log_f = stats.truncnorm.logpdf(u, a, b)
    return (
        -stats.truncnorm.pdf(a, a, b) * linear.on_support(stats.truncnorm.sf(u, a, b), log_f) * da
        - stats.truncnorm.pdf(b, a, b) * linear.on_support(stats.truncnorm.cdf(u, a, b), log_f) * db
    )
