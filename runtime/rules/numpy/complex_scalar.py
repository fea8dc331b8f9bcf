"""Differentials of the `cmath` module: complex results, of real or complex numbers."""

import cmath

import numpy as np

from ...helpers import linear
from ..book import constant, rule

constant(cmath.isfinite, cmath.isinf, cmath.isnan, cmath.isclose)


@rule(cmath.exp)
def exp(z, x, *, dx):
    return z * linear.convert(dx, z)


@rule(cmath.log)
def log(z, x, base=cmath.e, *, dx):
    return linear.convert(dx, z) / (x * np.log(base))


@rule(cmath.log10)
def log10(z, x, *, dx):
    return linear.convert(dx, z) / (x * np.log(10))


@rule(cmath.sqrt)
def sqrt(z, x, *, dx):
    return linear.convert(dx, z) / (2 * z)


@rule(cmath.sin)
def sin(z, x, *, dx):
    return np.cos(x) * linear.convert(dx, z)


@rule(cmath.cos)
def cos(z, x, *, dx):
    return -np.sin(x) * linear.convert(dx, z)


@rule(cmath.tan)
def tan(z, x, *, dx):
    return (1 + z * z) * linear.convert(dx, z)


@rule(cmath.asin)
def asin(z, x, *, dx):
    return linear.convert(dx, z) / np.cos(z)


@rule(cmath.acos)
def acos(z, x, *, dx):
    return -linear.convert(dx, z) / np.sin(z)


@rule(cmath.atan)
def atan(z, x, *, dx):
    return linear.convert(dx, z) / (1 + x * x)


@rule(cmath.sinh)
def sinh(z, x, *, dx):
    return np.cosh(x) * linear.convert(dx, z)


@rule(cmath.cosh)
def cosh(z, x, *, dx):
    return np.sinh(x) * linear.convert(dx, z)


@rule(cmath.tanh)
def tanh(z, x, *, dx):
    return (1 - z * z) * linear.convert(dx, z)


@rule(cmath.asinh)
def asinh(z, x, *, dx):
    return linear.convert(dx, z) / np.cosh(z)


@rule(cmath.acosh)
def acosh(z, x, *, dx):
    return linear.convert(dx, z) / np.sinh(z)


@rule(cmath.atanh)
def atanh(z, x, *, dx):
    return linear.convert(dx, z) / (1 - x * x)


@rule(cmath.rect)
def rect(z, r, phi, *, dr, dphi):
    turn = np.exp(1j * phi)
    return turn * linear.convert(dr, z) + 1j * z * linear.convert(dphi, z)
