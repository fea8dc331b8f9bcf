"""Differentials of NumPy's elementary functions: exp, log, powers, the circle, the hyperbola."""

import math

import numpy as np

from ...helpers import linear
from ..book import rule


@rule(np.exp, infinite="may", real="kept")
def exp(z, x, *, dx):
    return z * dx


@rule(np.exp2, infinite="may")
def exp2(z, x, *, dx):
    return z * math.log(2) * dx


@rule(np.expm1, infinite="may")
def expm1(z, x, *, dx):
    return (z + 1) * dx


@rule(np.log, domain=(0.1, 3.0), infinite="may")
def log(z, x, *, dx):
    return dx / x


@rule(np.log2, domain=(0.1, 3.0), infinite="may")
def log2(z, x, *, dx):
    return dx / (x * math.log(2))


@rule(np.log10, domain=(0.1, 3.0), infinite="may")
def log10(z, x, *, dx):
    return dx / (x * math.log(10))


@rule(np.log1p, domain=(-0.9, 3.0), infinite="may")
def log1p(z, x, *, dx):
    return dx / (1 + x)


@rule(np.sqrt, domain=(0.1, 3.0), infinite="may")
def sqrt(z, x, *, dx):
    return dx / (2 * z)


@rule(np.cbrt, domain=(0.1, 3.0))
def cbrt(z, x, *, dx):
    return dx / (3 * z * z)


@rule(np.square)
def square(z, x, *, dx):
    return 2 * x * dx


@rule(np.reciprocal, domain=(0.2, 3.0), infinite="may")
def reciprocal(z, x, *, dx):
    return -z * z * dx


@rule(linear.sigmoid, elementwise=True)
def sigmoid(z, x, *, dx):
    return z * (1 - z) * dx


@rule(np.sin, real="kept")
def sin(z, x, *, dx):
    return np.cos(x) * dx


@rule(np.cos, real="kept")
def cos(z, x, *, dx):
    return -np.sin(x) * dx


@rule(np.tan, domain=(-1.2, 1.2), infinite="may")
def tan(z, x, *, dx):
    return (1 + z * z) * dx


@rule(np.arcsin, domain=(-0.9, 0.9), infinite="may")
def arcsin(z, x, *, dx):
    return dx / linear.circle(x)


@rule(np.arccos, domain=(-0.9, 0.9), infinite="may")
def arccos(z, x, *, dx):
    return -dx / linear.circle(x)


@rule(np.arctan, infinite="never")
def arctan(z, x, *, dx):
    return dx / (1 + x * x)


@rule(np.arctan2, broadcasts=True)
def arctan2(z, y, x, *, dy, dx):
    r = np.hypot(x, y)
    return linear.divide_or_zero(linear.divide_or_zero(x * dy - y * dx, r), r)


@rule(np.hypot, broadcasts=True, real="kept")
def hypot(z, x, y, *, dx, dy):
    return linear.divide_or_zero(x * dx + y * dy, z)


@rule(np.sinh, infinite="may")
def sinh(z, x, *, dx):
    return np.cosh(x) * dx


@rule(np.cosh, infinite="may")
def cosh(z, x, *, dx):
    return np.sinh(x) * dx


@rule(np.tanh, infinite="never")
def tanh(z, x, *, dx):
    return (1 - z * z) * dx


@rule(np.arcsinh)
def arcsinh(z, x, *, dx):
    return dx / linear.hyperbola(x)


@rule(np.arccosh, domain=(1.1, 3.0), infinite="may")
def arccosh(z, x, *, dx):
    return dx / linear.hyperbola_above(x)


@rule(np.arctanh, domain=(-0.9, 0.9), infinite="may")
def arctanh(z, x, *, dx):
    return dx / ((1 - x) * (1 + x))


@rule(np.sinc, memory="new")
def sinc(z, x, *, dx):
    return linear.sinc_derivative(1, x) * dx


@rule(np.i0, memory="new", rank_0="array")
def i0(z, x, *, dx):
    return linear.bessel_i(1, x) * dx


@rule(np.deg2rad, np.radians)
def radians(z, x, *, dx):
    return math.pi / 180 * dx


@rule(np.rad2deg, np.degrees)
def degrees(z, x, *, dx):
    return 180 / math.pi * dx


@rule(np.logaddexp, broadcasts=True, infinite="may")
def logaddexp(z, x, y, *, dx, dy):
    return linear.share(x, y) * dx + linear.share(y, x) * dy


@rule(np.logaddexp2, broadcasts=True, infinite="may")
def logaddexp2(z, x, y, *, dx, dy):
    u = x * math.log(2)
    v = y * math.log(2)
    return linear.share(u, v) * dx + linear.share(v, u) * dy
