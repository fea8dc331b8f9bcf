"""Calls of the arithmetic, elementary, scalar, creation and core helper operations."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

SHAPES: list[tuple[int, ...]] = [(), (3,), (2, 3), (2, 3, 4), (0, 3)]
PAIRS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((3,), (3,)),
    ((), (3,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((2, 1, 4), (3, 1)),
    ((0, 3), (3,)),
]
NUMBER = A(scalar=True)
SAMPLES: dict[Any, list[Sample]] = {}


def unary(*operations: Any, **how: Any) -> None:
    """Samples of elementwise operations of one array."""
    for operation in operations:
        SAMPLES[operation] = [Sample((A(shape),), **how) for shape in SHAPES]


def binary(*operations: Any, **how: Any) -> None:
    """Samples of elementwise operations of two arrays, stretched in every way."""
    for operation in operations:
        pairs = [Sample((A(a), A(b)), **how) for a, b in PAIRS]
        SAMPLES[operation] = [
            *pairs,
            Sample((A((2, 3)), NUMBER), **how),
            Sample((NUMBER, A((3,))), **how),
        ]


def numbers(*operations: Any, count: int = 1, **how: Any) -> None:
    """Samples of operations of ``count`` Python floats."""
    for operation in operations:
        SAMPLES.setdefault(operation, []).append(Sample((NUMBER,) * count, **how))


def more(operation: Any, *samples: Sample) -> None:
    SAMPLES.setdefault(operation, []).extend(samples)


# Arithmetic

binary(np.add, np.subtract, np.multiply, complex=True)
binary(operator.add, operator.sub, operator.mul, complex=True)
binary(np.divide, operator.truediv, low=0.5, high=2.0, complex=True)
binary(np.power, np.float_power, operator.pow, builtins.pow, low=0.5, high=2.0, complex=True)
binary(np.remainder, np.fmod, operator.mod, low=0.7, high=2.3)
binary(np.maximum, np.minimum, np.fmax, np.fmin)
binary(np.logaddexp, np.logaddexp2, np.arctan2, np.hypot)
binary(np.divmod, low=0.7, high=2.3)
for _plain, _in_place in [
    (operator.add, operator.iadd),
    (operator.sub, operator.isub),
    (operator.mul, operator.imul),
    (operator.truediv, operator.itruediv),
    (operator.pow, operator.ipow),
    (operator.mod, operator.imod),
]:
    SAMPLES[_in_place] = [Sample((NUMBER, NUMBER), low=0.5, high=2.0)]
    numbers(_plain, count=2, low=0.5, high=2.0)
numbers(builtins.divmod, builtins.max, builtins.min, count=2, low=0.5, high=2.0)
numbers(builtins.max, builtins.min, count=4)
unary(np.negative, np.positive, np.absolute, operator.neg, operator.pos, operator.abs, complex=True)
unary(builtins.abs, np.real, np.imag, np.angle, np.conjugate, complex=True)
unary(np.fabs, linear.sigmoid)
binary(linear.power, low=0.5, high=2.0)
more(linear.power, Sample((A((3,)), 3)), Sample((A((2, 3)), 2.5), low=0.5))
unary(linear.circle, low=-0.9, high=0.9, complex=True)
unary(linear.hyperbola, low=-0.9, high=0.9, complex=True)
unary(linear.hyperbola_above, low=1.1, high=3.0, complex=True)
unary(np.sign, linear.sign, linear.turn_rate, complex=True)
numbers(operator.neg, operator.pos, operator.abs, builtins.abs, linear.sign)
more(
    np.angle, Sample((A((3,)), True), complex=True), Sample((A((3,)),), {"deg": True}, complex=True)
)
for _exponent in (0, 1, 2, 3, -1, 0.5, 2.0):
    _positive: dict[str, Any] = {"low": 0.5, "high": 2.0}
    more(operator.pow, Sample((A((2, 3)), _exponent), complex=True, **_positive))
    more(operator.pow, Sample((NUMBER, _exponent), **_positive))
    more(np.power, Sample((A((3,)), _exponent), **_positive))
more(
    operator.pow, Sample((A((3,)), 2)), Sample((A((3,)), np.array([2, 3, 1]))), Sample((2, A((3,))))
)
for _shape in [(), (3,), (2, 3, 4)]:
    for _attribute in (np.ndarray.real, np.ndarray.imag, np.ndarray.conj, np.ndarray.conjugate):
        more(_attribute, Sample((A(_shape, make=np.asarray),), complex=True))
binary(np.copysign)
more(
    np.heaviside, Sample((np.array([-1.0, 0.0, 2.0]), A((3,)))), Sample((np.zeros((2, 3)), A((3,))))
)
more(
    np.ldexp, Sample((A((2, 3)), 3)), Sample((A((3,)), np.array([[1], [-2]]))), Sample((NUMBER, 2))
)
unary(np.frexp, low=0.55, high=0.95)
unary(np.modf, low=0.1, high=0.9)

BOUNDS = (
    A((2, 3), make=lambda x: np.sign(x) * (np.abs(x) % 0.4)),
    A((3,), make=lambda x: 1 + np.abs(x)),
)
more(
    np.clip,
    Sample((A((2, 3)), -1.0, 1.0)),
    Sample((A((2, 3)), None, 0.5)),
    Sample((A((2, 3)), 0.5, None)),
    Sample((A((2, 3)), *BOUNDS)),
    Sample((A((3,)), BOUNDS[0]), {"a_max": 3.0}),
    Sample((A((2, 3)),), {"min": -0.5, "max": 0.5}),
    Sample((A(()), -1.0, 1.0)),
    Sample((A((0, 3)), -1, 1)),
    Sample((NUMBER, -1.0, 1.0)),
)
more(np.ndarray.clip, Sample((A((2, 3)), -1.0, 1.0)), Sample((A((2, 3)), *BOUNDS)))
more(np.ndarray.clip, Sample((A((3,)),), {"max": 0.5}), Sample((A((3,)),), {"min": 0.5}))

MASK = np.array([[True, False, True], [False, False, True]])
more(
    np.where,
    Sample((MASK, A((2, 3)), A((2, 3))), complex=True),
    Sample((MASK, A((3,)), A((2, 1))), complex=True),
    Sample((MASK, A((2, 3)), 0.0)),
    Sample((MASK, NUMBER, NUMBER)),
    Sample((MASK[0], A((4, 1)), A())),
    Sample((True, A((3,)), A((3,)))),
)
more(
    np.select,
    Sample(([MASK, ~MASK], [A((2, 3)), A((3,))])),
    Sample(([MASK, MASK[::-1]], [A((2, 3)), A((2, 3))], A((3,)))),
    Sample(([MASK[0]], [A((3,))]), {"default": NUMBER}),
)
unary(np.nan_to_num, complex=True)
more(np.nan_to_num, Sample((np.array([np.nan, 1.0, np.inf]), True, NUMBER, NUMBER)))
unary(np.real_if_close)

# Elementary functions

unary(np.exp, np.expm1, np.exp2, np.square, np.sin, np.cos, np.sinh, np.cosh, complex=True)
unary(np.tanh, np.sinc, complex=True)
unary(np.arctan, np.arcsinh, complex=True, high=0.8, low=-0.8)
unary(np.tan, low=-1.2, high=1.2, complex=True)
unary(np.arcsin, np.arccos, np.arctanh, low=-0.9, high=0.9, complex=True)
unary(np.log, np.log2, np.log10, np.log1p, np.sqrt, np.reciprocal, low=0.3, high=3.0, complex=True)
unary(np.cbrt, low=0.3, high=3.0)
unary(np.arccosh, low=1.1, high=3.0, complex=True)
unary(np.i0, np.deg2rad, np.rad2deg, np.degrees, np.radians)

# The math module

numbers(math.exp, math.exp2, math.expm1, math.sin, math.cos, math.sinh, math.cosh, math.tanh)
numbers(math.atan, math.asinh, math.fabs, math.radians, math.degrees, math.erf, math.erfc)
numbers(math.tan, low=-1.2, high=1.2)
numbers(math.asin, math.acos, math.atanh, low=-0.9, high=0.9)
numbers(math.log, math.log2, math.log10, math.log1p, math.sqrt, math.cbrt, low=0.3, high=3.0)
numbers(math.log, count=2, low=1.3, high=3.0)
numbers(math.acosh, low=1.1, high=3.0)
numbers(math.gamma, math.lgamma, low=0.3, high=4.0)
numbers(math.gamma, math.lgamma, low=-1.8, high=-1.2)
numbers(math.pow, math.fmod, math.remainder, count=2, low=0.7, high=2.0)
numbers(math.atan2, math.hypot, math.copysign, count=2)
numbers(math.modf, low=0.1, high=0.9)
numbers(math.frexp, low=0.55, high=0.95)
more(math.ldexp, Sample((NUMBER, 3)), Sample((NUMBER, -2)))
more(math.pow, Sample((NUMBER, 3)), Sample((NUMBER, 2.0)))

# Creation and conversion

for _maker in (np.array, np.asarray, np.asanyarray, np.asfortranarray, np.asarray_chkfinite):
    unary(_maker, complex=True)
    more(_maker, Sample(([NUMBER, NUMBER],)), Sample(([A((3,)), A((3,))],)), Sample((NUMBER,)))
    more(_maker, Sample(([[NUMBER, 1.0], (2, NUMBER)],)), Sample((A((3,)),), {"dtype": float}))
    more(_maker, Sample((A((3,)), int), smooth=False, order2=False))
unary(np.ascontiguousarray, np.copy, complex=True)
more(
    np.from_dlpack,
    *(Sample((A(shape, make=np.asarray),), complex=True) for shape in ((3,), (2, 3))),
)
more(np.ascontiguousarray, Sample(([NUMBER, NUMBER],)))
for _shape in [(), (3,), (2, 3, 4), (0, 3)]:
    more(np.ndarray.copy, Sample((A(_shape, make=np.asarray),), complex=True))
    more(np.ndarray.astype, Sample((A(_shape, make=np.asarray), float)))
    more(np.astype, Sample((A(_shape, make=np.asarray), np.dtype(float))))
more(np.ndarray.astype, Sample((A((3,)), "float32"), smooth=False), Sample((A((3,)), complex)))
more(np.ndarray.astype, Sample((A((3,)), int), smooth=False, order2=False))
for _number in (np.float64, np.float32):
    more(_number, Sample((A((2, 3)),), smooth=_number is np.float64))
    more(_number, Sample((NUMBER,), smooth=_number is np.float64))
more(np.complex128, Sample((A((3,)),), complex=True), Sample((NUMBER,)))
more(np.complex64, Sample((A((3,)),), smooth=False))
more(builtins.float, Sample((NUMBER,)), Sample((A(()),)), Sample((A((), make=np.asarray),)))
more(builtins.complex, Sample((NUMBER,)), Sample((NUMBER, NUMBER)), Sample((A(()), A(()))))
more(np.ndarray.item, Sample((A((1, 1)),)), Sample((A((2, 3)), 4)), Sample((A((2, 3)), 1, 2)))
more(np.full, Sample((3, NUMBER)), Sample(((2, 3), A((3,)))), Sample(((2, 2), NUMBER, np.float64)))
more(np.full, Sample((3, NUMBER), {"dtype": int}, smooth=False, order2=False))
more(np.full_like, Sample((np.zeros((2, 3)), A((3,)))), Sample((np.zeros(3), NUMBER)))
more(
    np.linspace,
    Sample((NUMBER, NUMBER)),
    Sample((NUMBER, NUMBER, 5)),
    Sample((A((2,)), A((3, 1)), 4)),
    Sample((0.0, NUMBER), {"num": 3, "endpoint": False}),
    Sample((NUMBER, NUMBER, 1)),
)
more(
    np.arange,
    Sample((NUMBER, 3.5), low=0.1, high=0.4),
    Sample((NUMBER, 5, NUMBER), low=0.3, high=0.45),
)

# Helpers

more(
    linear.unbroadcast,
    *(Sample((A((2, 3, 4)), np.zeros(s)), complex=True) for s in [(), (4,), (3, 1), (2, 3, 4)]),
)
more(linear.unbroadcast, Sample((A((2, 3)), 1.0)), Sample((NUMBER, 2.0)))
more(
    linear.stretch,
    *(Sample((A(s), np.zeros((2, 3, 4))), complex=True) for s in [(), (4,), (3, 1), (2, 3, 4)]),
)
more(linear.add, Sample((A((3,)), A((3,))), complex=True), Sample((NUMBER, NUMBER)))
more(linear.copy, Sample((A((2, 3)),), complex=True), Sample((NUMBER,)))
more(linear.contiguous, Sample((A((2, 3)),), complex=True))
binary(linear.divide_or_zero, linear.mul0, linear.div0, low=0.5, high=2.0, complex=True)
more(linear.divide_or_zero, Sample((A((3,)), np.array([0.0, 1.0, 2.0]))), Sample((NUMBER, NUMBER)))
binary(linear.times_log, low=0.3, high=3.0, complex=True)
more(linear.times_log, Sample((NUMBER, NUMBER), low=0.3, high=3.0))
more(
    linear.in_kind,
    Sample((A((3,)), 1j), complex=True),
    Sample((A((3,)), 1.0), complex=True),
    Sample((NUMBER, 1j)),
)
more(
    linear.one_less,
    Sample((A((3,)), 1.5)),
    Sample((NUMBER, 1.5)),
    Sample((A((3,)), np.ones((2, 1)))),
)
binary(linear.share)
more(linear.share, Sample((NUMBER, NUMBER)))
TIES = np.array([-1.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0])
more(
    linear.if_larger,
    Sample((A((3,)), *TIES), complex=True),
    Sample((A((2, 3)), *TIES)),
    Sample((NUMBER, 1.0, 0.5)),
)
for _part in (linear.if_inside, linear.if_below, linear.if_above):
    more(_part, Sample((A((3,)), TIES[0], -0.5, 0.5)), Sample((A((2, 3)), TIES[0], 0.5)))
    more(_part, Sample((A((3,)), TIES[0]), {"max": 0.5}), Sample((NUMBER, TIES[0], 0.0, 1.0)))
GAPS = np.array([np.nan, 1.0, np.inf])
more(
    linear.if_finite,
    Sample((A((3,)), GAPS)),
    Sample((A((3,)), GAPS.astype(complex)), complex=True, smooth=False),
)
more(linear.if_replaced, Sample((A((3,)), GAPS, np.nan)), Sample((NUMBER, GAPS, np.inf)))
more(linear.times_i, Sample((A((3,)), np.zeros(3))), Sample((A((3,)), np.zeros(3) + 0j)))
more(linear.pick, Sample(([NUMBER, NUMBER, NUMBER], (1.0, 2.0, 2.0), 2.0)))
more(linear.unpick, Sample((NUMBER, (1.0, 2.0, 2.0), 2.0)))
more(linear.unselect, Sample((A((2, 3)), [MASK, ~MASK], [np.zeros((2, 3)), np.zeros(3)])))
more(linear.if_none, Sample((A((2, 3)), [MASK, MASK[0]])), Sample((NUMBER, [MASK])))
more(linear.if_float, Sample((A((3,)), 1.0), complex=True), Sample((A((3,)), np.ones(3, int))))
more(
    linear.convert, Sample((A((3,)), np.zeros(3)), complex=True), Sample((A((3,)), np.ones(3, int)))
)
more(
    linear.pack,
    Sample((A((3,)), np.zeros(3))),
    Sample(([NUMBER, [NUMBER, NUMBER]][1], np.zeros(2))),
)
more(
    linear.pack, Sample(([A((3,)), A((3,))], np.zeros((2, 3)))), Sample((A((3,)), np.ones(3, int)))
)
more(linear.unpack, Sample((A((2, 3)), [np.zeros(3), [0.0, 0.0, 0.0]])), Sample((A((1,)), 0.0)))
more(linear.full, Sample((NUMBER, np.zeros((2, 3)))), Sample((A((3,)), np.zeros((2, 3)))))
more(linear.item, Sample((A((1, 1)),)), Sample((A((2, 3)), 4)), Sample((NUMBER,)))
more(
    linear.put_item, Sample((NUMBER, np.zeros((2, 3)), 4)), Sample((NUMBER, np.zeros((2, 3)), 1, 2))
)
more(linear.put_item, Sample((NUMBER, np.zeros((1, 1)))), Sample((NUMBER, 1.0)))
more(linear.progression, Sample(([NUMBER, NUMBER, NUMBER], np.zeros(4))))
more(linear.unprogression, Sample((A((4,)), [0.0, 4.0, 1.0])), Sample((A((4,)), [0.0, 4.0])))
more(linear.polygamma, *(Sample((n, NUMBER), low=0.3, high=4.0) for n in (0, 1, 2)))
more(linear.polygamma, *(Sample((n, NUMBER), low=-1.8, high=-1.2) for n in (0, 1)))
more(linear.bessel_i, *(Sample((n, A((3,)))) for n in (0, 1, 2)))
more(
    linear.sinc_derivative,
    *(Sample((n, A((2, 3))), low=-4.0, high=4.0, complex=True) for n in (1, 2, 3)),
)
