"""Differentials of SciPy's noncentral chi-square and F distributions, which are mixtures of central ones."""

import numpy as np
from scipy import stats

from ....helpers import linear  # noqa: F401  (composed rules read it)
from ....helpers.scipy import noncentral
from ...book import rule
from .distributions import density, tails


@rule(noncentral.mixed_gammainc, broadcasts=True)
def mixed_gammainc(z, i, j, k, a, x, m, *, da, dx, dm):
    by_a = noncentral.mixed_gammainc(i + 1, j, k, a, x, m)
    by_x = noncentral.mixed_gammainc(i, j + 1, k, a, x, m)
    return by_a * da + by_x * dx + noncentral.mixed_gammainc(i, j, k + 1, a, x, m) * dm


@rule(noncentral.mixed_betainc, broadcasts=True)
def mixed_betainc(z, i, j, k, n, a, b, x, m, *, da, db, dx, dm):
    by_a = noncentral.mixed_betainc(i + 1, j, k, n, a, b, x, m)
    by_b = noncentral.mixed_betainc(i, j + 1, k, n, a, b, x, m)
    by_x = noncentral.mixed_betainc(i, j, k + 1, n, a, b, x, m)
    by_m = noncentral.mixed_betainc(i, j, k, n + 1, a, b, x, m)
    return by_a * da + by_b * db + by_x * dx + by_m * dm


@density(stats.ncx2, inside=0.5)
def ncx2(u, df, nc, *, du, ddf, dnc):
    a = df / 2
    x = u / 2
    m = nc / 2
    f = noncentral.mixed_gammainc(0, 1, 0, a, x, m)
    return (
        noncentral.mixed_gammainc(0, 2, 0, a, x, m) / (2 * f) * du
        + noncentral.mixed_gammainc(1, 1, 0, a, x, m) / (2 * f) * ddf
        + noncentral.mixed_gammainc(0, 1, 1, a, x, m) / (2 * f) * dnc
    )


@tails(stats.ncx2)
def ncx2_tails(u, df, nc, *, ddf, dnc):
    x = np.maximum(u, 0) / 2
    return (
        noncentral.mixed_gammainc(1, 0, 0, df / 2, x, nc / 2) / 2 * ddf
        + noncentral.mixed_gammainc(0, 0, 1, df / 2, x, nc / 2) / 2 * dnc
    )


@density(stats.ncf, inside=0.5)
def ncf(u, dfn, dfd, nc, *, du, ddfn, ddfd, dnc):
    whole = dfd + dfn * u
    x = dfn * u / whole
    a = dfn / 2
    b = dfd / 2
    m = nc / 2
    f = noncentral.mixed_betainc(0, 0, 1, 0, a, b, x, m)
    bend = noncentral.mixed_betainc(0, 0, 2, 0, a, b, x, m) / f
    by_a = noncentral.mixed_betainc(1, 0, 1, 0, a, b, x, m) / (2 * f)
    by_b = noncentral.mixed_betainc(0, 1, 1, 0, a, b, x, m) / (2 * f)
    slope = dfn * dfd / (whole * whole)
    return (
        (bend * slope - 2 * dfn / whole) * du
        + (by_a + bend * slope * u / dfn + 1 / dfn - 2 * u / whole) * ddfn
        + (by_b - bend * slope * u / dfd + 1 / dfd - 2 / whole) * ddfd
        + noncentral.mixed_betainc(0, 0, 1, 1, a, b, x, m) / (2 * f) * dnc
    )


@tails(stats.ncf)
def ncf_tails(u, dfn, dfd, nc, *, ddfn, ddfd, dnc):
    v = np.maximum(u, 0)
    whole = dfd + dfn * v
    x = dfn * v / whole
    a = dfn / 2
    b = dfd / 2
    moved = noncentral.mixed_betainc(0, 0, 1, 0, a, b, x, nc / 2) * v / (whole * whole)
    return (
        (noncentral.mixed_betainc(1, 0, 0, 0, a, b, x, nc / 2) / 2 + moved * dfd) * ddfn
        + (noncentral.mixed_betainc(0, 1, 0, 0, a, b, x, nc / 2) / 2 - moved * dfn) * ddfd
        + noncentral.mixed_betainc(0, 0, 0, 1, a, b, x, nc / 2) / 2 * dnc
    )
