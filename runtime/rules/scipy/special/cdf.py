"""Differentials of the incomplete gamma and beta functions and of the distributions made of them.

A helper ``f_partial(i, j, a, x)`` is ``f(a, x)`` differentiated ``i`` times by ``a`` and ``j`` times by ``x``,
so its own derivatives are the helper again.
"""

import numpy as np
from scipy import special

from ....helpers.scipy import cdf as helpers
from ...book import rule

SHAPE, LEVEL = (0.5, 3.0), (0.1, 0.9)


@rule(helpers.gammainc_partial, broadcasts=True)
def gammainc_partial(z, i, j, a, x, *, da, dx):
    by_a = helpers.gammainc_partial(i + 1, j, a, x)
    return by_a * da + helpers.gammainc_partial(i, j + 1, a, x) * dx


@rule(helpers.betainc_partial, broadcasts=True)
def betainc_partial(z, i, j, k, a, b, x, *, da, db, dx):
    by_a = helpers.betainc_partial(i + 1, j, k, a, b, x)
    by_b = helpers.betainc_partial(i, j + 1, k, a, b, x)
    return by_a * da + by_b * db + helpers.betainc_partial(i, j, k + 1, a, b, x) * dx


@rule(helpers.stdtr_partial, broadcasts=True)
def stdtr_partial(z, i, j, df, t, *, ddf, dt):
    by_df = helpers.stdtr_partial(i + 1, j, df, t)
    return by_df * ddf + helpers.stdtr_partial(i, j + 1, df, t) * dt


# -- gamma and beta --------------------------------------------------------------------


@rule(special.gammainc, broadcasts=True, domain=(0.5, 3.0), infinite="no")
def gammainc(z, a, x, *, da, dx):
    by_a = helpers.gammainc_partial(1, 0, a, x)
    return by_a * da + helpers.gammainc_partial(0, 1, a, x) * dx


@rule(special.gammaincc, broadcasts=True, domain=(0.5, 3.0), infinite="no")
def gammaincc(z, a, x, *, da, dx):
    by_a = helpers.gammainc_partial(1, 0, a, x)
    return -by_a * da - helpers.gammainc_partial(0, 1, a, x) * dx


@rule(special.gammaincinv, broadcasts=True, domain=(SHAPE, LEVEL))
def gammaincinv(z, a, y, *, da, dy):
    by_a = helpers.gammainc_partial(1, 0, a, z)
    return (dy - by_a * da) / helpers.gammainc_partial(0, 1, a, z)


@rule(special.gammainccinv, broadcasts=True, domain=(SHAPE, LEVEL))
def gammainccinv(z, a, y, *, da, dy):
    by_a = helpers.gammainc_partial(1, 0, a, z)
    return (-dy - by_a * da) / helpers.gammainc_partial(0, 1, a, z)


@rule(special.betainc, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL), infinite="no")
def betainc(z, a, b, x, *, da, db, dx):
    by_a = helpers.betainc_partial(1, 0, 0, a, b, x)
    by_b = helpers.betainc_partial(0, 1, 0, a, b, x)
    return by_a * da + by_b * db + helpers.betainc_partial(0, 0, 1, a, b, x) * dx


@rule(special.betaincc, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL), infinite="no")
def betaincc(z, a, b, x, *, da, db, dx):
    by_a = helpers.betainc_partial(1, 0, 0, a, b, x)
    by_b = helpers.betainc_partial(0, 1, 0, a, b, x)
    return -by_a * da - by_b * db - helpers.betainc_partial(0, 0, 1, a, b, x) * dx


@rule(special.betaincinv, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL))
def betaincinv(z, a, b, y, *, da, db, dy):
    by_a = helpers.betainc_partial(1, 0, 0, a, b, z)
    by_b = helpers.betainc_partial(0, 1, 0, a, b, z)
    return (dy - by_a * da - by_b * db) / helpers.betainc_partial(0, 0, 1, a, b, z)


@rule(special.betainccinv, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL))
def betainccinv(z, a, b, y, *, da, db, dy):
    by_a = helpers.betainc_partial(1, 0, 0, a, b, z)
    by_b = helpers.betainc_partial(0, 1, 0, a, b, z)
    return (-dy - by_a * da - by_b * db) / helpers.betainc_partial(0, 0, 1, a, b, z)


@rule(special.btdtria, broadcasts=True, domain=(LEVEL, SHAPE, LEVEL))
def btdtria(z, p, b, x, *, dp, db, dx):
    by_b = helpers.betainc_partial(0, 1, 0, z, b, x)
    by_x = helpers.betainc_partial(0, 0, 1, z, b, x)
    return (dp - by_b * db - by_x * dx) / helpers.betainc_partial(1, 0, 0, z, b, x)


@rule(special.btdtrib, broadcasts=True, domain=(SHAPE, LEVEL, LEVEL))
def btdtrib(z, a, p, x, *, da, dp, dx):
    by_a = helpers.betainc_partial(1, 0, 0, a, z, x)
    by_x = helpers.betainc_partial(0, 0, 1, a, z, x)
    return (dp - by_a * da - by_x * dx) / helpers.betainc_partial(0, 1, 0, a, z, x)


# -- distributions of whole numbers ----------------------------------------------------


@rule(special.bdtr, broadcasts=True, domain=LEVEL)
def bdtr(z, k, n, p, *, dp):
    k, n = np.floor(k), np.trunc(n)
    return -helpers.betainc_partial(0, 0, 1, k + 1, n - k, p) * dp


@rule(special.bdtrc, broadcasts=True, domain=LEVEL)
def bdtrc(z, k, n, p, *, dp):
    k, n = np.floor(k), np.trunc(n)
    return helpers.betainc_partial(0, 0, 1, k + 1, n - k, p) * dp


@rule(special.bdtri, broadcasts=True, domain=LEVEL)
def bdtri(z, k, n, y, *, dy):
    k, n = np.floor(k), np.trunc(n)
    return -dy / helpers.betainc_partial(0, 0, 1, k + 1, n - k, z)


@rule(special.nbdtr, broadcasts=True, domain=LEVEL)
def nbdtr(z, k, n, p, *, dp):
    k, n = np.trunc(k), np.trunc(n)
    return helpers.betainc_partial(0, 0, 1, n, k + 1, p) * dp


@rule(special.nbdtrc, broadcasts=True, domain=LEVEL)
def nbdtrc(z, k, n, p, *, dp):
    k, n = np.trunc(k), np.trunc(n)
    return -helpers.betainc_partial(0, 0, 1, n, k + 1, p) * dp


@rule(special.nbdtri, broadcasts=True, domain=LEVEL)
def nbdtri(z, k, n, y, *, dy):
    k, n = np.trunc(k), np.trunc(n)
    return dy / helpers.betainc_partial(0, 0, 1, n, k + 1, z)


@rule(special.pdtr, broadcasts=True, domain=SHAPE)
def pdtr(z, k, m, *, dm):
    return -helpers.gammainc_partial(0, 1, np.floor(k) + 1, m) * dm


@rule(special.pdtrc, broadcasts=True, domain=SHAPE)
def pdtrc(z, k, m, *, dm):
    return helpers.gammainc_partial(0, 1, np.floor(k) + 1, m) * dm


@rule(special.pdtri, broadcasts=True, domain=LEVEL)
def pdtri(z, k, y, *, dy):
    return -dy / helpers.gammainc_partial(0, 1, np.trunc(k) + 1, z)


# -- distributions of real numbers -----------------------------------------------------


@rule(special.chdtr, broadcasts=True, domain=SHAPE, infinite="no")
def chdtr(z, v, x, *, dv, dx):
    by_v = helpers.gammainc_partial(1, 0, v / 2, x / 2) / 2
    return by_v * dv + helpers.gammainc_partial(0, 1, v / 2, x / 2) / 2 * dx


@rule(special.chdtrc, broadcasts=True, domain=SHAPE)
def chdtrc(z, v, x, *, dv, dx):
    by_v = helpers.gammainc_partial(1, 0, v / 2, x / 2) / 2
    return -by_v * dv - helpers.gammainc_partial(0, 1, v / 2, x / 2) / 2 * dx


@rule(special.chdtri, broadcasts=True, domain=(SHAPE, LEVEL))
def chdtri(z, v, p, *, dv, dp):
    by_v = helpers.gammainc_partial(1, 0, v / 2, z / 2)
    return (-2 * dp - by_v * dv) / helpers.gammainc_partial(0, 1, v / 2, z / 2)


@rule(special.chdtriv, broadcasts=True, domain=(LEVEL, SHAPE))
def chdtriv(z, p, x, *, dp, dx):
    by_x = helpers.gammainc_partial(0, 1, z / 2, x / 2)
    return (2 * dp - by_x * dx) / helpers.gammainc_partial(1, 0, z / 2, x / 2)


@rule(special.gdtr, broadcasts=True, domain=SHAPE, infinite="no")
def gdtr(z, a, b, x, *, da, db, dx):
    by_b = helpers.gammainc_partial(1, 0, b, a * x)
    return by_b * db + helpers.gammainc_partial(0, 1, b, a * x) * (x * da + a * dx)


@rule(special.gdtrc, broadcasts=True, domain=SHAPE)
def gdtrc(z, a, b, x, *, da, db, dx):
    by_b = helpers.gammainc_partial(1, 0, b, a * x)
    return -by_b * db - helpers.gammainc_partial(0, 1, b, a * x) * (x * da + a * dx)


@rule(special.gdtrix, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL))
def gdtrix(z, a, b, p, *, da, db, dp):
    by_b = helpers.gammainc_partial(1, 0, b, a * z)
    return ((dp - by_b * db) / helpers.gammainc_partial(0, 1, b, a * z) - z * da) / a


@rule(special.gdtria, broadcasts=True, domain=(LEVEL, SHAPE, SHAPE))
def gdtria(z, p, b, x, *, dp, db, dx):
    by_b = helpers.gammainc_partial(1, 0, b, z * x)
    return ((dp - by_b * db) / helpers.gammainc_partial(0, 1, b, z * x) - z * dx) / x


@rule(special.gdtrib, broadcasts=True, domain=(SHAPE, LEVEL, SHAPE))
def gdtrib(z, a, p, x, *, da, dp, dx):
    by_x = helpers.gammainc_partial(0, 1, z, a * x)
    return (dp - by_x * (x * da + a * dx)) / helpers.gammainc_partial(1, 0, z, a * x)


@rule(special.fdtr, broadcasts=True, domain=SHAPE, infinite="no")
def fdtr(z, dfn, dfd, x, *, ddfn, ddfd, dx):
    w = dfn * x + dfd
    a, b, y = dfn / 2, dfd / 2, dfn * x / w
    by_a = helpers.betainc_partial(1, 0, 0, a, b, y) / 2
    by_b = helpers.betainc_partial(0, 1, 0, a, b, y) / 2
    density = helpers.betainc_partial(0, 0, 1, a, b, y) / (w * w)
    return by_a * ddfn + by_b * ddfd + density * (dfd * x * ddfn + dfd * dfn * dx - dfn * x * ddfd)


@rule(special.fdtrc, broadcasts=True, domain=SHAPE)
def fdtrc(z, dfn, dfd, x, *, ddfn, ddfd, dx):
    w = dfn * x + dfd
    a, b, y = dfn / 2, dfd / 2, dfn * x / w
    by_a = helpers.betainc_partial(1, 0, 0, a, b, y) / 2
    by_b = helpers.betainc_partial(0, 1, 0, a, b, y) / 2
    density = helpers.betainc_partial(0, 0, 1, a, b, y) / (w * w)
    return -by_a * ddfn - by_b * ddfd - density * (dfd * x * ddfn + dfd * dfn * dx - dfn * x * ddfd)


@rule(special.fdtri, broadcasts=True, domain=(SHAPE, SHAPE, LEVEL))
def fdtri(z, dfn, dfd, p, *, ddfn, ddfd, dp):
    w = dfn * z + dfd
    a, b, y = dfn / 2, dfd / 2, dfn * z / w
    by_a = helpers.betainc_partial(1, 0, 0, a, b, y) / 2
    by_b = helpers.betainc_partial(0, 1, 0, a, b, y) / 2
    density = helpers.betainc_partial(0, 0, 1, a, b, y)
    rate = density * dfn * dfd / (w * w)
    return (dp - by_a * ddfn - by_b * ddfd) / rate + z * (ddfd / dfd - ddfn / dfn)


@rule(special.stdtr, broadcasts=True, domain=SHAPE, infinite="no")
def stdtr(z, df, t, *, ddf, dt):
    by_df = helpers.stdtr_partial(1, 0, df, t)
    return by_df * ddf + helpers.stdtr_partial(0, 1, df, t) * dt


@rule(special.stdtrit, broadcasts=True, domain=(SHAPE, LEVEL))
def stdtrit(z, df, p, *, ddf, dp):
    by_df = helpers.stdtr_partial(1, 0, df, z)
    return (dp - by_df * ddf) / helpers.stdtr_partial(0, 1, df, z)


@rule(special.stdtridf, broadcasts=True, domain=(LEVEL, SHAPE))
def stdtridf(z, p, t, *, dp, dt):
    by_t = helpers.stdtr_partial(0, 1, z, t)
    return (dp - by_t * dt) / helpers.stdtr_partial(1, 0, z, t)


@rule(special.chndtr, broadcasts=True, domain=SHAPE)
def chndtr(z, x, df, nc, *, dx, dnc):
    root = np.sqrt(nc * x)
    front = np.exp(root - (x + nc) / 2) / 2
    density = front * (x / nc) ** (df / 4 - 0.5) * special.ive(df / 2 - 1, root)
    return density * dx - front * (x / nc) ** (df / 4) * special.ive(df / 2, root) * dnc
