"""Differentials of SciPy's distributions on the whole line.

``density`` takes the differential of the standard log density; `distributions` composes the rules.
"""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import cdf
from ....helpers.scipy import stats as extra
from ...book import rule
from . import bounded, descriptive, discrete, multivariate, noncentral, positive  # noqa: F401
from .distributions import density, quantile, tails


@density(stats.norm)
def norm(u, *, du):
    return -u * du


@density(stats.cauchy)
def cauchy(u, *, du):
    return -2 * u / (1 + u * u) * du


@density(stats.laplace)
def laplace(u, *, du):
    return -linear.sign(u) * du


@density(stats.logistic)
def logistic(u, *, du):
    return -np.tanh(u / 2) * du


@density(stats.hypsecant)
def hypsecant(u, *, du):
    return -np.tanh(u) * du


@density(stats.gumbel_r, inside=0.5)
def gumbel_r(u, *, du):
    return (np.exp(-u) - 1) * du


@density(stats.gumbel_l, inside=0.5)
def gumbel_l(u, *, du):
    return (1 - np.exp(u)) * du


@density(stats.moyal, inside=0.5)
def moyal(u, *, du):
    return (np.exp(-u) - 1) / 2 * du


@density(stats.johnsonsu)
def johnsonsu(u, a, b, *, du, da, db):
    bent = np.arcsinh(u)
    n = a + b * bent
    root = np.sqrt(1 + u * u)
    return -(u / root + b * n) / root * du - n * da + (1 / b - n * bent) * db


@quantile(stats.johnsonsu, inside=0.5)
def johnsonsu_quantile(u, a, b, *, da, db):
    root = np.sqrt(1 + u * u)
    return -root / b * da - root * np.arcsinh(u) / b * db


@density(stats.t)
def t(u, df, *, du, ddf):
    square = u * u
    ratio = (1 + 1 / df) / (1 + square / df)
    change = special.digamma((df + 1) / 2) - special.digamma(df / 2) - 1 / df
    return -ratio * u * du + (change - np.log1p(square / df) + ratio * square / df) / 2 * ddf


@tails(stats.t)
def t_tails(u, df, *, ddf):
    return cdf.stdtr_partial(1, 0, df, u) * ddf


@density(stats.skewnorm)
def skewnorm(u, a, *, du, da):
    mills = linear.hazard(stats.norm.logpdf(a * u), stats.norm.logcdf(a * u))
    return (a * mills - u) * du + u * mills * da


@tails(stats.skewnorm)
def skewnorm_tails(u, a, *, da):
    r = 1 + a * a
    return -np.exp(-r * u * u / 2) / (np.pi * r) * da


@density(stats.gennorm)
def gennorm(u, beta, *, du, dbeta):
    v = np.abs(u)
    return (
        -beta * linear.mul0(linear.sign(u), v ** (beta - 1)) * du
        + ((1 + special.digamma(1 / beta) / beta) / beta - special.xlogy(v**beta, v)) * dbeta
    )


@tails(stats.gennorm)
def gennorm_tails(u, beta, *, dbeta):
    v = np.abs(u)
    moved = stats.gennorm.pdf(u, beta) * special.xlogy(v, v)
    by_shape = cdf.gammainc_partial(1, 0, 1 / beta, v**beta) / (2 * beta)
    return linear.sign(u) * (moved - by_shape) / beta * dbeta


@density(stats.vonmises)
def vonmises(u, kappa, *, du, dkappa):
    return -kappa * np.sin(u) * du + (np.cos(u) - special.i1e(kappa) / special.i0e(kappa)) * dkappa


@tails(stats.vonmises)
def vonmises_tails(u, kappa, *, dkappa):
    return extra.vonmises_tail(1, u, kappa) * dkappa


@rule(extra.vonmises_tail, broadcasts=True)
def vonmises_tail(z, n, u, kappa, *, du, dkappa):
    return extra.vonmises_partial(n, u, kappa) * du + extra.vonmises_tail(n + 1, u, kappa) * dkappa


@rule(extra.vonmises_partial, broadcasts=True)
def vonmises_partial(z, n, u, kappa, *, du, dkappa):
    slope = kappa * z + n * extra.vonmises_partial(n - 1, u, kappa)
    return -np.sin(u) * slope * du + extra.vonmises_partial(n + 1, u, kappa) * dkappa
