"""Differentials of logistic, entropy-like and other elementary functions of ``scipy.special``."""

import math

import numpy as np
from scipy import special

from ....helpers import linear
from ....helpers.scipy import special as helpers
from ...book import constant, rule

constant(special.round)


@rule(special.expm1)
def expm1(z, x, *, dx):
    return (z + 1) * dx


@rule(special.log1p, domain=(-0.9, 3.0))
def log1p(z, x, *, dx):
    return dx / (1 + x)


@rule(special.exp2)
def exp2(z, x, *, dx):
    return z * math.log(2) * dx


@rule(special.exp10)
def exp10(z, x, *, dx):
    return z * math.log(10) * dx


@rule(special.cbrt, domain=(0.1, 3.0))
def cbrt(z, x, *, dx):
    return dx / (3 * z * z)


@rule(special.cosm1, infinite="no")
def cosm1(z, x, *, dx):
    return -np.sin(x) * dx


@rule(special.powm1, broadcasts=True, domain=(0.5, 2.0))
def powm1(z, x, y, *, dx, dy):
    return y * np.power(x, linear.one_less(y, x)) * dx + (z + 1) * linear.times_log(dy, x)


@rule(special.sindg, infinite="no")
def sindg(z, x, *, dx):
    return math.pi / 180 * special.cosdg(x) * dx


@rule(special.cosdg, infinite="no")
def cosdg(z, x, *, dx):
    return -math.pi / 180 * special.sindg(x) * dx


@rule(special.tandg)
def tandg(z, x, *, dx):
    return math.pi / 180 * (1 + z * z) * dx


@rule(special.cotdg, domain=(10.0, 80.0))
def cotdg(z, x, *, dx):
    return -math.pi / 180 * (1 + z * z) * dx


@rule(special.exprel)
def exprel(z, x, *, dx):
    return helpers.exprel_partial(1, x) * dx


@rule(helpers.exprel_partial, broadcasts=True)
def exprel_partial(z, n, x, *, dx):
    return helpers.exprel_partial(n + 1, x) * dx


@rule(special.diric)
def diric(z, x, n, *, dx):
    return helpers.diric_partial(1, x, n) * dx


@rule(helpers.diric_partial, broadcasts=True)
def diric_partial(z, m, x, n, *, dx):
    return helpers.diric_partial(m + 1, x, n) * dx


# -- logistic --------------------------------------------------------------------------


@rule(special.expit, infinite="no")
def expit(z, x, *, dx):
    return z * (1 - z) * dx


@rule(special.logit, domain=(0.1, 0.9))
def logit(z, x, *, dx):
    return dx / (x * (1 - x))


@rule(special.log_expit)
def log_expit(z, x, *, dx):
    return special.expit(-x) * dx


@rule(getattr(special, "softplus", None))  # SciPy 1.15
def softplus(z, x, *, dx):
    return special.expit(x) * dx


@rule(special.softmax, infinite="no", batch="all")
def softmax(z, x, axis=None, *, dx):
    return z * (dx - linear.unreduce(np.sum(z * dx, axis=axis), x, axis=axis))


@rule(special.log_softmax, batch="all")
def log_softmax(z, x, axis=None, *, dx):
    return dx - linear.unreduce(np.sum(np.exp(z) * dx, axis=axis), x, axis=axis)


@rule(special.logsumexp, batch="all")
def logsumexp(z, a, axis=None, b=None, keepdims=False, *, da, db):
    whole = linear.stretch_over(a, b)
    e = np.exp(whole - linear.unreduce(z, whole, axis=axis, keepdims=keepdims))
    w = linear.one_if_none(b) * e
    return np.sum(
        w * linear.stretch(da, e) + e * linear.stretch(db, e), axis=axis, keepdims=keepdims
    )


# -- entropies and losses --------------------------------------------------------------


@rule(special.xlogy, broadcasts=True, domain=(0.1, 3.0))
def xlogy(z, x, y, *, dx, dy):
    log_y = np.log(np.where((x == 0) & (y == 0), 1, y))
    return log_y * dx + linear.div0(x, y) * dy


@rule(special.xlog1py, broadcasts=True, domain=(-0.9, 3.0))
def xlog1py(z, x, y, *, dx, dy):
    log_y = np.log1p(np.where((x == 0) & (y == -1), 0, y))
    return log_y * dx + linear.div0(x, 1 + y) * dy


@rule(special.entr, domain=(0.1, 3.0))
def entr(z, x, *, dx):
    return -(np.log(x) + 1) * dx


@rule(special.rel_entr, broadcasts=True, domain=(0.1, 3.0))
def rel_entr(z, x, y, *, dx, dy):
    return (np.log(x / y) + 1) * dx - linear.div0(x, y) * dy


@rule(special.kl_div, broadcasts=True, domain=(0.1, 3.0))
def kl_div(z, x, y, *, dx, dy):
    return np.log(x / y) * dx + (1 - linear.div0(x, y)) * dy


@rule(special.huber, broadcasts=True)
def huber(z, delta, r, *, ddelta, dr):
    outside = np.where(np.abs(r) > delta, np.abs(r) - delta, 0)
    return outside * ddelta + np.clip(r, -delta, delta) * dr


@rule(special.pseudo_huber, broadcasts=True, domain=(0.3, 2.0))
def pseudo_huber(z, delta, r, *, ddelta, dr):
    slope = r / np.hypot(1, r / delta)
    return (2 * z - r * slope) / delta * ddelta + slope * dr


# -- power transforms ------------------------------------------------------------------


@rule(special.boxcox, broadcasts=True, domain=(0.3, 3.0))
def boxcox(z, x, lmbda, *, dx, dlmbda):
    u = np.log(x)
    return x ** (lmbda - 1) * dx + u * u * helpers.exprel_partial(1, lmbda * u) * dlmbda


@rule(special.boxcox1p, broadcasts=True, domain=(0.3, 3.0))
def boxcox1p(z, x, lmbda, *, dx, dlmbda):
    u = np.log1p(x)
    return (1 + x) ** (lmbda - 1) * dx + u * u * helpers.exprel_partial(1, lmbda * u) * dlmbda


@rule(special.inv_boxcox, broadcasts=True, domain=(0.1, 2.0))
def inv_boxcox(z, y, lmbda, *, dy, dlmbda):
    u = np.log(z)
    return z ** (1 - lmbda) * (dy - u * u * helpers.exprel_partial(1, lmbda * u) * dlmbda)


@rule(special.inv_boxcox1p, broadcasts=True, domain=(0.1, 2.0))
def inv_boxcox1p(z, y, lmbda, *, dy, dlmbda):
    u = np.log1p(z)
    return (1 + z) ** (1 - lmbda) * (dy - u * u * helpers.exprel_partial(1, lmbda * u) * dlmbda)


@rule(special.tklmbda, broadcasts=True, domain=(-0.8, 0.8))
def tklmbda(z, x, lmbda, *, dx, dlmbda):
    q = special.tklmbda(-x, lmbda)
    inside = (z > 0) & (q > 0)
    below, above = np.where(inside, z, 0.5), np.where(inside, q, 0.5)
    u, v = np.log(below), np.log(above)
    left = u * u * helpers.exprel_partial(1, lmbda * u)
    by_lmbda = left - v * v * helpers.exprel_partial(1, lmbda * v)
    density = np.where(inside, 1 / (below ** (lmbda - 1) + above ** (lmbda - 1)), 0)
    return density * (dx - by_lmbda * dlmbda)
