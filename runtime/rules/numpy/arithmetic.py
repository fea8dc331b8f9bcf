"""Differentials of arithmetic: operators, signs, maxima, clipping, rounding, complex parts.

A new elementwise rule is two lines and its decorator; the tests find it by themselves.
"""

import builtins
import math
import operator

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

# Operations without a derivative when their argument is real, though they have a rule.


@rule(operator.add, operator.iadd, np.add, broadcasts=True)
def add(z, x, y, *, dx, dy):
    return dx + dy


@rule(operator.sub, operator.isub, np.subtract, broadcasts=True)
def subtract(z, x, y, *, dx, dy):
    return dx - dy


@rule(operator.mul, operator.imul, np.multiply, broadcasts=True)
def multiply(z, x, y, *, dx, dy):
    return dx * y + x * dy


@rule(operator.truediv, operator.itruediv, np.divide, broadcasts=True, infinite="by divisor")
def divide(z, x, y, *, dx, dy):
    return (dx - z * dy) / y


@rule(
    operator.pow,
    operator.ipow,
    builtins.pow,
    np.power,
    linear.power,
    broadcasts=True,
    infinite="by exponent",
)
def power(z, x, y, *, dx, dy):
    return y * x ** linear.one_less(y, x) * dx + z * linear.times_log(dy, linear.in_kind(x, z))


@rule(np.float_power, broadcasts=True, infinite="by exponent")
def float_power(z, x, y, *, dx, dy):
    return y * np.float_power(x, linear.one_less(y, x)) * dx + z * linear.times_log(
        dy, linear.in_kind(x, z)
    )


@rule(operator.mod, operator.imod, np.remainder, broadcasts=True)
def remainder(z, x, y, *, dx, dy):
    return dx - x // y * dy


@rule(np.fmod, broadcasts=True)
def fmod(z, x, y, *, dx, dy):
    return dx - np.trunc(x / y) * dy


@rule(builtins.divmod, np.divmod, broadcasts=True)
def divmod(z, x, y, *, dx, dy):
    quotient, _ = z
    return 0.0 * (dx + dy), dx - quotient * dy


@rule(operator.neg, np.negative)
def negative(z, x, *, dx):
    return -dx


@rule(operator.pos, np.positive)
def positive(z, x, *, dx):
    return dx


@rule(operator.abs, builtins.abs, np.absolute, real="always", for_complex=True)
def absolute(z, x, *, dx):
    return np.real(np.conj(linear.sign(x)) * dx)


@rule(np.fabs)
def fabs(z, x, *, dx):
    return linear.sign(x) * dx


@rule(np.sign, linear.sign, constant_if_real=True)
def sign(z, x, *, dx):
    return linear.turn_rate(x) * (dx - z * np.real(np.conj(z) * dx))


@rule(linear.turn_rate, rank_0="either", real="always", constant_if_real=True)
def turn_rate(z, x, *, dx):
    return -z * z * np.real(np.conj(linear.sign(x)) * dx)


@rule(np.copysign, broadcasts=True, constant_in=("y",))
def copysign(z, x, y, *, dx):
    return linear.sign(x) * linear.sign(z) * dx


@rule(np.nextafter, broadcasts=True, constant_in=("y",))
def nextafter(z, x, y, *, dx):
    return dx


@rule(np.heaviside, broadcasts=True, constant_in=("x",), zeros="mask")
def heaviside(z, x, h, *, dh):
    return np.where(x == 0, dh, 0.0)


@rule(np.maximum, broadcasts=True)
def maximum(z, x, y, *, dx, dy):
    return linear.if_larger(dx, x, y) + linear.if_larger(dy, y, x)


@rule(np.minimum, broadcasts=True)
def minimum(z, x, y, *, dx, dy):
    return linear.if_larger(dx, y, x) + linear.if_larger(dy, x, y)


@rule(np.fmax, broadcasts=True)
def fmax(z, x, y, *, dx, dy):
    return linear.if_larger(linear.if_number(dx, x), x, y) + linear.if_larger(
        linear.if_number(dy, y), y, x
    )


@rule(np.fmin, broadcasts=True)
def fmin(z, x, y, *, dx, dy):
    return linear.if_larger(linear.if_number(dx, x), y, x) + linear.if_larger(
        linear.if_number(dy, y), x, y
    )


@rule(builtins.max, builtins.min, effect="none")
def extreme(z, *xs, dxs):
    return linear.pick(dxs, xs, z)


@rule(np.clip, broadcasts=True, memory="new")
def clip(z, a, a_min=None, a_max=None, min=None, max=None, *, da, da_min, da_max, dmin, dmax):
    return (
        linear.if_inside(da, a, a_min, a_max, min=min, max=max)
        + linear.if_below(da_min, a, a_min, a_max, min=min, max=max)
        + linear.if_above(da_max, a, a_min, a_max, min=min, max=max)
        + linear.if_below(dmin, a, a_min, a_max, min=min, max=max)
        + linear.if_above(dmax, a, a_min, a_max, min=min, max=max)
    )


@rule(np.ndarray.clip, broadcasts=True, memory="new")
def clip_method(z, a, min=None, max=None, *, da, dmin, dmax):
    return (
        linear.if_inside(da, a, min, max)
        + linear.if_below(dmin, a, min, max)
        + linear.if_above(dmax, a, min, max)
    )


@rule(
    np.where,
    broadcasts=True,
    constant_in=("condition",),
    memory="new",
    rank_0="array",
    zeros="condition",
    joint=True,
)
def where(z, condition, x, y, *, dx, dy):
    return np.where(condition, dx, dy)


@rule(
    np.select,
    several=("choicelist",),
    memory="new",
    rank_0="either",
    elementwise=True,
    zeros="choice",
)
def select(z, condlist, choicelist, default=0, *, dchoicelist, ddefault):
    return np.select(condlist, dchoicelist) + linear.if_none(linear.full(ddefault, z), condlist)


@rule(np.ldexp, broadcasts=True, constant_in=("i",))
def ldexp(z, x, i, *, dx):
    return np.ldexp(dx, i)


@rule(np.frexp)
def frexp(z, x, *, dx):
    _, exponent = z
    return np.ldexp(dx, -exponent), 0.0 * dx


@rule(np.modf)
def modf(z, x, *, dx):
    return dx, 0.0 * dx


@rule(
    np.nan_to_num,
    broadcasts=True,
    new_if="copied",
    memory="either",
    rank_0="either",
    infinite="never",
)
def nan_to_num(z, x, copy=True, nan=0.0, posinf=None, neginf=None, *, dx, dnan, dposinf, dneginf):
    return (
        linear.if_finite(dx, x, copy=copy)
        + linear.if_replaced(dnan, x, math.nan)
        + linear.if_replaced(dposinf, x, math.inf)
        + linear.if_replaced(dneginf, x, -math.inf)
    )


@rule(
    np.real,
    np.ndarray.real,
    complex_part="real",
    memory="view",
    itself_if="real",
    elementwise=True,
    real="always",
    for_complex=True,
)
def real(z, val, *, dval):
    return np.real(dval)


@rule(
    np.imag,
    np.ndarray.imag,
    complex_part="imaginary",
    memory="either",
    view_if="complex",
    elementwise=True,
    real="always",
    for_complex=True,
    constant_if_real=True,
)
def imag(z, val, *, dval):
    return np.imag(dval)


@rule(np.conjugate, np.ndarray.conj, np.ndarray.conjugate, for_complex=True)
def conjugate(z, x, *, dx):
    return np.conj(dx)


@rule(np.angle, memory="new", for_complex=True, constant_if_real=True)
def angle(z, z_, deg=False, *, dz_):
    w = linear.turn_rate(z_) * (180 / math.pi) ** deg * linear.sign(z_)
    return np.real(w) * np.imag(dz_) - np.imag(w) * np.real(dz_)


@rule(np.real_if_close, rank_0="array")
def real_if_close(z, a, tol=100, *, da):
    return linear.convert(da, z)


@transpose(np.where, argument="x")
def _(c, condition, x, y):
    return np.where(condition, c, 0.0)


@transpose(np.where, argument="y")
def _(c, condition, x, y):
    return np.where(condition, 0.0, c)


@transpose(np.select, argument="choicelist")
def _(c, condlist, choicelist, default=0):
    return linear.unselect(c, condlist, choicelist)


@transpose(np.real, np.ndarray.real, argument="val")
def _(c, val):
    return c


@transpose(np.imag, np.ndarray.imag, argument="val")
def _(c, val):
    return linear.times_i(c, val)


@transpose(np.conjugate, np.ndarray.conj, np.ndarray.conjugate, argument="x")
def _(c, x):
    return np.conj(c)


@transpose(np.ldexp, argument="x")
def _(c, x, i):
    return np.ldexp(c, i)


@transpose(operator.neg, np.negative, argument="x")
def _(c, x):
    return -c


@transpose(operator.pos, np.positive, argument="x")
def _(c, x):
    return c


@transpose(operator.add, operator.iadd, np.add, argument="x")
def _(c, x, y):
    return c


@transpose(operator.add, operator.iadd, np.add, argument="y")
def _(c, x, y):
    return c


@transpose(operator.sub, operator.isub, np.subtract, argument="x")
def _(c, x, y):
    return c


@transpose(operator.sub, operator.isub, np.subtract, argument="y")
def _(c, x, y):
    return -c


@transpose(operator.mul, operator.imul, np.multiply, argument="x")
def _(c, x, y):
    return c * np.conj(y)


@transpose(operator.mul, operator.imul, np.multiply, argument="y")
def _(c, x, y):
    return np.conj(x) * c


@transpose(operator.truediv, operator.itruediv, np.divide, argument="x")
def _(c, x, y):
    return c / np.conj(y)


constant(operator.floordiv, operator.ifloordiv, np.floor_divide)
constant(np.floor, np.ceil, np.trunc, np.rint, np.fix, np.round, np.around, np.ndarray.round)
constant(builtins.round, builtins.int, math.floor, math.ceil, math.trunc)
WHOLE = tuple(
    dict.fromkeys(np.dtype(kind).type for kind in "bBhHiIlLqQ?")
)  # np.int64(x) and its like
constant(*WHOLE)
traits(*WHOLE, memory="new", answered=True)
constant(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
constant(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.spacing)
constant(np.logical_and, np.logical_or, np.logical_xor, np.logical_not, np.signbit)
constant(np.isnan, np.isinf, np.isfinite, np.isposinf, np.isneginf, np.isclose, np.allclose)
constant(np.array_equal, np.array_equiv, np.isreal, np.iscomplex, np.isrealobj, np.iscomplexobj)
constant(operator.not_, operator.truth, operator.is_, operator.is_not, operator.contains)
constant(operator.and_, operator.or_, operator.xor, operator.invert, operator.inv, operator.index)
constant(operator.iand, operator.ior, operator.ixor, operator.lshift, operator.rshift)
constant(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift)

traits(operator.add, operator.sub, operator.mul, operator.neg, operator.pos, of_floats="quiet")
traits(operator.abs, builtins.abs, operator.eq, operator.ne, of_floats="quiet")
traits(operator.lt, operator.le, operator.gt, operator.ge, of_floats="quiet")
traits(operator.truediv, of_floats="arithmetic")
traits(builtins.pow, builtins.round, memory="new")
traits(builtins.int, memory="new", answered=True)
traits(builtins.abs, memory="new", elementwise=True)
traits(np.isclose, np.allclose, memory="new", gives="truth")
traits(
    np.round, np.around, np.ndarray.round, memory="either", new_if="inexact", computes_in="either"
)
traits(np.fix, memory="either", new_if="inexact")
traits(
    np.ndarray.conj,
    np.ndarray.conjugate,
    memory="either",
    new_if="complex",
    view_if="real numbers",
    itself_if="shown",
    elementwise=True,
)
traits(np.isnan, gives="truth", zeros="mask", real="always")
traits(np.isinf, gives="truth", zeros="mask")
traits(np.isfinite, gives="truth", infinite="never", zeros="mask")
traits(np.logical_not, zeros="mask", real="always")
traits(linear.sign, real="kept")
