"""Differentials of exponential and other integrals, hypergeometric functions, and Lambert's W."""

import numpy as np
from scipy import special

from ....helpers.scipy import bessel
from ....helpers.scipy import special as helpers
from ...book import rule

POSITIVE = (0.3, 3.0)


@rule(special.exp1, domain=POSITIVE)
def exp1(z, x, *, dx):
    return -np.exp(-x) / x * dx


@rule(special.expi, domain=POSITIVE)
def expi(z, x, *, dx):
    return np.exp(x) / x * dx


@rule(special.expn, broadcasts=True, domain=POSITIVE)
def expn(z, n, x, *, dx):
    return -helpers.expn_below(np.trunc(n) - 1, x) * dx  # SciPy cuts fractions off the order


@rule(helpers.expn_below, broadcasts=True)
def expn_below(z, n, x, *, dx):
    return -helpers.expn_below(n - 1, x) * dx


@rule(special.sici, domain=POSITIVE)
def sici(z, x, *, dx):
    return np.sinc(x / np.pi) * dx, np.cos(x) / x * dx


@rule(special.shichi, domain=POSITIVE)
def shichi(z, x, *, dx):
    return bessel.spherical_partial("in", 0, 0, x) * dx, np.cosh(x) / x * dx


@rule(special.fresnel, infinite="no")
def fresnel(z, x, *, dx):
    turn = np.pi / 2 * x * x
    return np.sin(turn) * dx, np.cos(turn) * dx


@rule(special.spence, domain=POSITIVE)
def spence(z, x, *, dx):
    return -helpers.log_quotient(0, x) * dx


@rule(helpers.log_quotient, broadcasts=True)
def log_quotient(z, n, x, *, dx):
    return helpers.log_quotient(n + 1, x) * dx


@rule(special.hyp0f1, broadcasts=True)
def hyp0f1(z, v, x, *, dx):
    return special.hyp0f1(v + 1, x) / v * dx


@rule(special.hyp1f1, broadcasts=True)
def hyp1f1(z, a, b, x, *, dx):
    return a * special.hyp1f1(a + 1, b + 1, x) / b * dx


@rule(special.hyp2f1, broadcasts=True, domain=(-0.8, 0.8))
def hyp2f1(z, a, b, c, x, *, dx):
    return a * b * special.hyp2f1(a + 1, b + 1, c + 1, x) / c * dx


@rule(special.hyperu, broadcasts=True, domain=POSITIVE)
def hyperu(z, a, b, x, *, dx):
    return -a * special.hyperu(a + 1, b + 1, x) * dx


@rule(special.lambertw, broadcasts=True, complex=True, domain=POSITIVE)
def lambertw(z, x, k=0, tol=1e-8, *, dx):
    return np.exp(-z) / (1 + z) * dx


@rule(special.wrightomega)
def wrightomega(z, x, *, dx):
    return z / (1 + z) * dx
