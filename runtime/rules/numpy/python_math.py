"""Differentials of the `math` module, written in `math`, so that Python floats stay such."""

import math

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose


@rule(math.exp)
def exp(z, x, *, dx):
    return z * dx


@rule(math.exp2)
def exp2(z, x, *, dx):
    return z * math.log(2) * dx


@rule(math.expm1)
def expm1(z, x, *, dx):
    return (z + 1) * dx


@rule(math.log, domain=(0.1, 3.0))
def log(z, x, base=math.e, *, dx, dbase):
    return (dx / x - z * dbase / base) / math.log(base)


@rule(math.log2, domain=(0.1, 3.0))
def log2(z, x, *, dx):
    return dx / (x * math.log(2))


@rule(math.log10, domain=(0.1, 3.0))
def log10(z, x, *, dx):
    return dx / (x * math.log(10))


@rule(math.log1p, domain=(-0.9, 3.0))
def log1p(z, x, *, dx):
    return dx / (1 + x)


@rule(math.sqrt, domain=(0.1, 3.0))
def sqrt(z, x, *, dx):
    return dx / (2 * z)


@rule(math.cbrt, domain=(0.1, 3.0))
def cbrt(z, x, *, dx):
    return dx / (3 * z * z)


@rule(math.pow, domain=(0.1, 3.0), infinite="by exponent")
def pow(z, x, y, *, dx, dy):
    return y * math.pow(x, linear.one_less(y, x)) * dx + z * linear.times_log(dy, x)


@rule(math.sin)
def sin(z, x, *, dx):
    return math.cos(x) * dx


@rule(math.cos)
def cos(z, x, *, dx):
    return -math.sin(x) * dx


@rule(math.tan, domain=(-1.2, 1.2))
def tan(z, x, *, dx):
    return (1 + z * z) * dx


@rule(math.asin, domain=(-0.9, 0.9))
def asin(z, x, *, dx):
    return dx / math.sqrt((1 - x) * (1 + x))


@rule(math.acos, domain=(-0.9, 0.9))
def acos(z, x, *, dx):
    return -dx / math.sqrt((1 - x) * (1 + x))


@rule(math.atan)
def atan(z, x, *, dx):
    return dx / (1 + x * x)


@rule(math.atan2)
def atan2(z, y, x, *, dy, dx):
    r = math.hypot(x, y)
    return linear.divide_or_zero(linear.divide_or_zero(x * dy - y * dx, r), r)


@rule(math.hypot)
def hypot(z, x, y, *, dx, dy):
    return linear.divide_or_zero(x * dx + y * dy, z)


@rule(math.sinh)
def sinh(z, x, *, dx):
    return math.cosh(x) * dx


@rule(math.cosh)
def cosh(z, x, *, dx):
    return math.sinh(x) * dx


@rule(math.tanh)
def tanh(z, x, *, dx):
    return (1 - z * z) * dx


@rule(math.asinh)
def asinh(z, x, *, dx):
    return dx / math.sqrt(1 + x * x)


@rule(math.acosh, domain=(1.1, 3.0))
def acosh(z, x, *, dx):
    return dx / math.sqrt((x - 1) * (x + 1))


@rule(math.atanh, domain=(-0.9, 0.9))
def atanh(z, x, *, dx):
    return dx / ((1 - x) * (1 + x))


@rule(math.fabs)
def fabs(z, x, *, dx):
    return linear.sign(x) * dx


@rule(math.copysign, constant_in=("y",))
def copysign(z, x, y, *, dx):
    return linear.sign(x) * math.copysign(1.0, y) * dx


@rule(math.fmod)
def fmod(z, x, y, *, dx, dy):
    return dx - ((x - z) / y + 0.5) // 1 * dy  # which number it is, NaN too


@rule(math.remainder)
def remainder(z, x, y, *, dx, dy):
    return dx - ((x - z) / y + 0.5) // 1 * dy  # which number it is, NaN too


@rule(math.ldexp)
def ldexp(z, x, i, *, dx):
    return math.ldexp(dx, i)


@rule(math.frexp)
def frexp(z, x, *, dx):
    _, exponent = z
    return math.ldexp(dx, -exponent), 0.0 * dx


@rule(math.modf)
def modf(z, x, *, dx):
    return dx, 0.0 * dx


@rule(math.radians)
def radians(z, x, *, dx):
    return math.pi / 180 * dx


@rule(math.degrees)
def degrees(z, x, *, dx):
    return 180 / math.pi * dx


@rule(math.erf)
def erf(z, x, *, dx):
    return 2 / math.sqrt(math.pi) * math.exp(-x * x) * dx


@rule(math.erfc)
def erfc(z, x, *, dx):
    return -2 / math.sqrt(math.pi) * math.exp(-x * x) * dx


@rule(math.gamma, domain=(0.3, 4.0))
def gamma(z, x, *, dx):
    return z * linear.polygamma(0, x) * dx


@rule(math.lgamma, domain=(0.3, 4.0))
def lgamma(z, x, *, dx):
    return linear.polygamma(0, x) * dx


@transpose(math.ldexp, argument="x")
def _(c, x, i):
    return math.ldexp(c, i)


constant(math.isnan, math.isinf, math.isfinite, math.isclose, math.ulp)
constant(math.gcd, math.lcm, math.comb, math.perm, math.factorial, math.isqrt)


# --- of several numbers -------------------------------------------------------------------


@rule(math.prod)
def prod(z, iterable, start=1, *, diterable, dstart):
    factors = np.array(iterable)
    return start * linear.item(np.sum(linear.others(factors) * np.array(diterable))) + linear.item(
        np.prod(factors)
    ) * linear.item(dstart)


@rule(math.dist)
def dist(z, p, q, *, dp, dq):
    way = np.array(p) - np.array(q)
    return linear.item(linear.divide_or_zero(np.sum(way * (np.array(dp) - np.array(dq))), z))


if hasattr(math, "sumprod"):  # Python 3.12

    @rule(math.sumprod)
    def sumprod(z, p, q, *, dp, dq):
        return linear.item(np.sum(np.array(dp) * np.array(q) + np.array(p) * np.array(dq)))


traits(math.isnan, math.isinf, math.isfinite, gives="truth")
traits(
    math.tanh,
    math.atan,
    math.asinh,
    math.atan2,
    math.fabs,
    getattr(math, "cbrt", None),
    math.erf,
    math.erfc,
    math.copysign,
    total=True,
)
