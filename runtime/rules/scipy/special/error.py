"""Differentials of the error functions, of the normal distribution, and of Voigt's profile."""

import math

import numpy as np
from scipy import special

from ....helpers.scipy import special as helpers
from ...book import rule


@rule(special.erf, infinite="no")
def erf(z, x, *, dx):
    return 2 / math.sqrt(math.pi) * np.exp(-x * x) * dx


@rule(special.erfc, infinite="no")
def erfc(z, x, *, dx):
    return -2 / math.sqrt(math.pi) * np.exp(-x * x) * dx


@rule(special.erfi)
def erfi(z, x, *, dx):
    return 2 / math.sqrt(math.pi) * np.exp(x * x) * dx


@rule(special.erfcx)
def erfcx(z, x, *, dx):
    return helpers.erfcx_partial(1, x) * dx


@rule(helpers.erfcx_partial, broadcasts=True)
def erfcx_partial(z, n, x, *, dx):
    return helpers.erfcx_partial(n + 1, x) * dx


@rule(special.dawsn, infinite="no")
def dawsn(z, x, *, dx):
    return helpers.dawsn_partial(1, x) * dx


@rule(helpers.dawsn_partial, broadcasts=True)
def dawsn_partial(z, n, x, *, dx):
    return helpers.dawsn_partial(n + 1, x) * dx


@rule(special.wofz, broadcasts=True, complex=True)
def wofz(z, x, *, dx):
    return helpers.erfcx_partial(1, x / 1j) / 1j * dx


@rule(special.erfinv, domain=(-0.9, 0.9))
def erfinv(z, y, *, dy):
    return math.sqrt(math.pi) / 2 * np.exp(z * z) * dy


@rule(special.erfcinv, domain=(0.1, 1.9))
def erfcinv(z, y, *, dy):
    return -math.sqrt(math.pi) / 2 * np.exp(z * z) * dy


@rule(special.ndtr, infinite="no")
def ndtr(z, x, *, dx):
    return math.sqrt(0.5 / math.pi) * np.exp(-0.5 * x * x) * dx


@rule(special.ndtri, domain=(0.1, 0.9))
def ndtri(z, y, *, dy):
    return math.sqrt(2 * math.pi) * np.exp(z * z / 2) * dy


@rule(special.log_ndtr)
def log_ndtr(z, x, *, dx):
    return math.sqrt(2 / math.pi) / special.erfcx(-x / math.sqrt(2)) * dx


@rule(special.ndtri_exp, domain=(-3.0, -0.2))
def ndtri_exp(z, y, *, dy):
    return math.sqrt(math.pi / 2) * special.erfcx(-z / math.sqrt(2)) * dy


@rule(special.nrdtrimn, broadcasts=True, domain=(0.2, 0.8))
def nrdtrimn(z, p, std, x, *, dp, dstd, dx):
    u = special.ndtri(p)
    return dx - u * dstd - std * math.sqrt(2 * math.pi) * np.exp(u * u / 2) * dp


@rule(special.nrdtrisd, broadcasts=True, domain=(0.6, 0.9))
def nrdtrisd(z, mn, p, x, *, dmn, dp, dx):
    u = special.ndtri(p)
    return (dx - dmn - z * math.sqrt(2 * math.pi) * np.exp(u * u / 2) * dp) / u


@rule(special.voigt_profile, broadcasts=True, domain=(0.2, 2.0))
def voigt_profile(z, x, sigma, gamma, *, dx, dsigma, dgamma):
    width = math.sqrt(2) * sigma
    u = (x + 1j * gamma) / width
    slope = helpers.erfcx_partial(1, u / 1j) / 1j
    scale = width * sigma * math.sqrt(2 * math.pi)
    real, imag = np.real(slope) / scale, np.imag(slope) / scale
    return real * dx - imag * dgamma - ((x * real - gamma * imag) / sigma + z / sigma) * dsigma


@rule(special.owens_t, broadcasts=True, infinite="no")
def owens_t(z, h, a, *, dh, da):
    by_h = -np.exp(-h * h / 2) * special.erf(a * h / math.sqrt(2)) / (2 * math.sqrt(2 * math.pi))
    q = 1 + a * a
    return by_h * dh + np.exp(-h * h * q / 2) / (2 * math.pi * q) * da
