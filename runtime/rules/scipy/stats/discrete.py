"""Differentials of SciPy's discrete distributions in their parameters; ``j`` counts from ``loc``.

The counts themselves have no derivative, nor has ``loc``: a program that asks for one is refused.
"""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import cdf
from .distributions import log_mass, mass, steps


@log_mass(stats.poisson)
def poisson_score(j, mu, *, dmu):
    return (linear.div0(j, mu) - 1) * dmu


@mass(stats.poisson)
def poisson(j, mu, *, dmu):
    return (stats.poisson.pmf(j - 1, mu) - stats.poisson.pmf(j, mu)) * dmu


@steps(stats.poisson)
def poisson_steps(j, mu, *, dmu):
    return -stats.poisson.pmf(j, mu) * dmu


@log_mass(stats.bernoulli)
def bernoulli_score(j, p, *, dp):
    return (linear.div0(j, p) - linear.div0(1 - j, 1 - p)) * dp


@mass(stats.bernoulli)
def bernoulli(j, p, *, dp):
    return (stats.bernoulli.pmf(j, 1.0) - stats.bernoulli.pmf(j, 0.0)) * dp


@steps(stats.bernoulli)
def bernoulli_steps(j, p, *, dp):
    return -stats.bernoulli.pmf(j, 0.0) * dp


@log_mass(stats.binom)
def binom_score(j, n, p, *, dp):
    return (linear.div0(j, p) - linear.div0(n - j, 1 - p)) * dp


@mass(stats.binom)
def binom(j, n, p, *, dp):
    less = np.maximum(n - 1, 0)
    return n * (stats.binom.pmf(j - 1, less, p) - stats.binom.pmf(j, less, p)) * dp


@steps(stats.binom)
def binom_steps(j, n, p, *, dp):
    return -n * stats.binom.pmf(j, np.maximum(n - 1, 0), p) * dp


@log_mass(stats.geom)
def geom_score(j, p, *, dp):
    return (1 / p - linear.div0(j - 1, 1 - p)) * dp


@mass(stats.geom)
def geom(j, p, *, dp):
    return (stats.geom.pmf(j, p) / p - (j - 1) * stats.geom.pmf(j - 1, p)) * dp


@steps(stats.geom)
def geom_steps(j, p, *, dp):
    return j * stats.geom.pmf(j, p) / p * dp


@log_mass(stats.nbinom)
def nbinom_score(j, n, p, *, dn, dp):
    grown = special.digamma(np.maximum(j, 0) + n) - special.digamma(n)
    return (grown + np.log(p)) * dn + (n / p - linear.div0(j, 1 - p)) * dp


@mass(stats.nbinom)
def nbinom(j, n, p, *, dn, dp):
    f = stats.nbinom.pmf(j, n, p)
    grown = special.digamma(np.maximum(j, 0) + n) - special.digamma(n)
    return f * (grown + np.log(p)) * dn + n / p * (f - stats.nbinom.pmf(j - 1, n + 1, p)) * dp


@steps(stats.nbinom)
def nbinom_steps(j, n, p, *, dn, dp):
    known = j >= 0
    by_n = cdf.betainc_partial(1, 0, 0, n, np.maximum(j, 0) + 1, p)
    return known * by_n * dn + n / (p * p) * stats.nbinom.pmf(j, n + 1, p) * dp
