"""Differentials of SciPy's distributions on a half line."""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import cdf
from .distributions import density, quantile, tails

FAR = 1e-100  # where nothing is left of an inverse gamma or Gaussian distribution


@density(stats.expon, inside=0.5)
def expon(u, *, du):
    return -1.0 * du


@density(stats.halfnorm, inside=0.5)
def halfnorm(u, *, du):
    return -u * du


@density(stats.halfcauchy, inside=0.5)
def halfcauchy(u, *, du):
    return -2 * u / (1 + u * u) * du


@density(stats.halflogistic, inside=0.5)
def halflogistic(u, *, du):
    return -np.tanh(u / 2) * du


@density(stats.rayleigh, inside=0.5)
def rayleigh(u, *, du):
    return (1 / u - u) * du


@density(stats.maxwell, inside=0.5)
def maxwell(u, *, du):
    return (2 / u - u) * du


@density(stats.levy, inside=0.5)
def levy(u, *, du):
    return (1 / u - 3) / (2 * u) * du


@density(stats.lognorm, inside=0.5)
def lognorm(u, s, *, du, ds):
    n = np.log(u) / s
    return -(1 + n / s) / u * du + (n * n - 1) / s * ds


@quantile(stats.lognorm, inside=0.5)
def lognorm_quantile(u, s, *, ds):
    return special.xlogy(u, u) / s * ds


@density(stats.weibull_min, inside=0.5)
def weibull_min(u, c, *, du, dc):
    return (linear.div0(c - 1, u) - c * u ** (c - 1)) * du + (1 / c + (1 - u**c) * np.log(u)) * dc


@quantile(stats.weibull_min, inside=0.5)
def weibull_min_quantile(u, c, *, dc):
    return -special.xlogy(u, u) / c * dc


@density(stats.weibull_max, inside=-0.5)
def weibull_max(u, c, *, du, dc):
    v = -u
    return (linear.div0(c - 1, u) + c * v ** (c - 1)) * du + (1 / c + (1 - v**c) * np.log(v)) * dc


@quantile(stats.weibull_max, inside=-0.5)
def weibull_max_quantile(u, c, *, dc):
    return special.xlogy(-u, -u) / c * dc


@density(stats.pareto, inside=2.0)
def pareto(u, b, *, du, db):
    return -(b + 1) / u * du + (1 / b - np.log(u)) * db


@quantile(stats.pareto, inside=2.0)
def pareto_quantile(u, b, *, db):
    return -special.xlogy(u, u) / b * db


@density(stats.lomax, inside=0.5)
def lomax(u, c, *, du, dc):
    return -(c + 1) / (1 + u) * du + (1 / c - np.log1p(u)) * dc


@quantile(stats.lomax, inside=0.5)
def lomax_quantile(u, c, *, dc):
    return -(1 + u) * special.log1p(u) / c * dc


@density(stats.fisk, inside=0.5)
def fisk(u, c, *, du, dc):
    p = special.expit(c * np.log(u))
    return (c - 1 - 2 * c * p) / u * du + (1 / c + (1 - 2 * p) * np.log(u)) * dc


@quantile(stats.fisk, inside=0.5)
def fisk_quantile(u, c, *, dc):
    return -special.xlogy(u, u) / c * dc


@density(stats.gamma, stats.erlang, inside=0.5)
def gamma(u, a, *, du, da):
    return (linear.div0(a - 1, u) - 1) * du + (np.log(u) - special.digamma(a)) * da


@tails(stats.gamma, stats.erlang)
def gamma_tails(u, a, *, da):
    return cdf.gammainc_partial(1, 0, a, np.maximum(u, 0)) * da


@density(stats.chi2, inside=0.5)
def chi2(u, df, *, du, ddf):
    return (linear.div0(df - 2, u) - 1) / 2 * du + (
        np.log(u / 2) - special.digamma(df / 2)
    ) / 2 * ddf


@tails(stats.chi2)
def chi2_tails(u, df, *, ddf):
    return cdf.gammainc_partial(1, 0, df / 2, np.maximum(u, 0) / 2) / 2 * ddf


@density(stats.invgamma, inside=0.5)
def invgamma(u, a, *, du, da):
    return (1 / u - a - 1) / u * du - (np.log(u) + special.digamma(a)) * da


@tails(stats.invgamma)
def invgamma_tails(u, a, *, da):
    return -cdf.gammainc_partial(1, 0, a, 1 / np.maximum(u, FAR)) * da


@density(stats.invgauss, inside=0.5)
def invgauss(u, mu, *, du, dmu):
    m = mu * mu
    return ((1 / (u * u) - 1 / m) - 3 / u) / 2 * du + (u / mu - 1) / m * dmu


@tails(stats.invgauss)
def invgauss_tails(u, mu, *, dmu):
    v = np.maximum(u, FAR)
    far = -(v / mu + 1) / np.sqrt(v)
    return -2 * np.exp(2 / mu + special.log_ndtr(far)) / (mu * mu) * dmu


@density(stats.f, inside=0.5)
def f(u, dfn, dfd, *, du, ddfn, ddfd):
    whole = dfd + dfn * u
    ratio = (dfn + dfd) / whole
    shared = special.digamma((dfn + dfd) / 2) - np.log(whole) + 1
    return (
        (linear.div0(dfn - 2, u) - dfn * ratio) / 2 * du
        + (shared + np.log(dfn * u) - u * ratio - special.digamma(dfn / 2)) / 2 * ddfn
        + (shared + np.log(dfd) - ratio - special.digamma(dfd / 2)) / 2 * ddfd
    )


@tails(stats.f)
def f_tails(u, dfn, dfd, *, ddfn, ddfd):
    v = np.maximum(u, 0)
    m = dfn / 2
    n = dfd / 2
    low = dfn * v / (dfd + dfn * v)
    high = dfd / (dfd + dfn * v)
    near = low < high
    by_dfn = np.where(
        near, cdf.betainc_partial(1, 0, 0, m, n, low), -cdf.betainc_partial(0, 1, 0, n, m, high)
    )
    by_dfd = np.where(
        near, cdf.betainc_partial(0, 1, 0, m, n, low), -cdf.betainc_partial(1, 0, 0, n, m, high)
    )
    moved = linear.mul0(v, stats.f.pdf(v, dfn, dfd))
    return (by_dfn / 2 + moved / dfn) * ddfn + (by_dfd / 2 - moved / dfd) * ddfd


@density(stats.chi, inside=0.5)
def chi(u, df, *, du, ddf):
    return (linear.div0(df - 1, u) - u) * du + (
        np.log(u * u / 2) - special.digamma(df / 2)
    ) / 2 * ddf


@tails(stats.chi)
def chi_tails(u, df, *, ddf):
    v = np.maximum(u, 0)
    return cdf.gammainc_partial(1, 0, df / 2, v * v / 2) / 2 * ddf


@density(stats.nakagami, inside=0.5)
def nakagami(u, nu, *, du, dnu):
    return (linear.div0(2 * nu - 1, u) - 2 * nu * u) * du + (
        1 + np.log(nu) - special.digamma(nu) + 2 * np.log(u) - u * u
    ) * dnu


@tails(stats.nakagami)
def nakagami_tails(u, nu, *, dnu):
    v = np.maximum(u, 0)
    moved = v * stats.nakagami.pdf(v, nu) / (2 * nu)
    return (cdf.gammainc_partial(1, 0, nu, nu * v * v) + moved) * dnu


@density(stats.burr12, inside=0.5)
def burr12(u, c, d, *, du, dc, dd):
    p = special.expit(c * np.log(u))
    return (
        (c - 1 - (d + 1) * c * p) / u * du
        + (1 / c + (1 - (d + 1) * p) * np.log(u)) * dc
        + (1 / d - np.log1p(u**c)) * dd
    )


@quantile(stats.burr12, inside=0.5)
def burr12_quantile(u, c, d, *, dc, dd):
    p = u**c
    return -special.xlogy(u, u) / c * dc - u * (1 + 1 / p) * np.log1p(p) / (c * d) * dd


@density(stats.rice, inside=0.5)
def rice(u, b, *, du, db):
    ratio = special.i1e(u * b) / special.i0e(u * b)
    return (1 / u - u + b * ratio) * du + (u * ratio - b) * db


@tails(stats.rice)
def rice_tails(u, b, *, db):
    v = np.maximum(u, 0)
    return -stats.rice.pdf(v, b) * special.i1e(v * b) / special.i0e(v * b) * db
