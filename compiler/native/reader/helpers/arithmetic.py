"""Helpers of the runtime that are scalar arithmetic: guarded quotients, slopes of extremes, casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, integer, minus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Constant, Items, Scalar, View, all_weak, common, dtype_of, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads_helper
from ..numpy.complex_numbers import real_part
from ..numpy.elementwise import astype, elementwise, mapped, where
from ..options import limit
from ..reader import Reader

__all__ = ["cast_like", "divide_or_zero"]


def floats(r: Reader, *values: Any, complex_too: bool = False) -> tuple[str, tuple[Any, ...], Any]:
    """The dtype of floats together, the values, and whether all are Python numbers."""
    arrays = tuple(r.array(v) for v in values)
    dtype = common(*arrays)
    if dtype[0] != "f" and not (dtype == "c16" and complex_too):
        raise Unsupported("a helper of the runtime for integers")
    return dtype, arrays, all_weak(*arrays)


def zero_of(dtype: str) -> Lit:
    return Lit(0.0, dtype)


def guarded(r: Reader, c: Any, y: Any, name: str, test: int) -> Any:
    """``c / y`` or ``c * y``, and 0 where one of them (number ``test``) is 0."""
    dtype, args, weak = floats(r, c, y, complex_too=name == "multiply")
    if weak is not False and dtype == "c16":
        raise Unsupported("a guarded product of complex numbers of Python")
    if weak is not False and name == "divide":
        y_ = r.named(args[1].expr)
        c_ = r.named(cast(args[0].expr, "f8"))
        bad = Op("equal", (cast(y_, "f8"), Lit(0.0, "f8")), "b1")
        if weak is not True:
            r.bail(bad)
        elif test == 0:  # Python raises, or gives 0
            r.bail(Op("logical_and", (bad, Op("not_equal", (c_, Lit(0.0, "f8")), "b1")), "b1"))
        args = (Scalar(c_), Scalar(cast(y_, "f8")))

    def point(a: Any, b: Any) -> Any:
        a, b = cast(a, dtype), cast(b, dtype)
        zero = Op("equal", ((a, b)[test], zero_of(dtype)), "b1")
        whole = Op(name, (a, b), dtype)
        soft = weak is not False
        nothing = Op("multiply", (a, zero_of(dtype)), dtype) if soft else zero_of(dtype)
        return Op("where", (zero, nothing, whole), dtype)

    return mapped(r, point, dtype, args, weak)


@reads_helper("div0")
def div0(r: Reader, c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``c`` is 0."""
    return guarded(r, c, y, "divide", 0)


@reads_helper("mul0")
@complex_too
def mul0(r: Reader, g: Any, p: Any) -> Any:
    """``g * p``, and 0 where ``g`` is 0."""
    return guarded(r, g, p, "multiply", 0)


@reads_helper("divide_or_zero")
def divide_or_zero(r: Reader, c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``y`` is 0."""
    return guarded(r, c, y, "divide", 1)


@reads_helper("times_log")
def times_log(r: Reader, c: Any, x: Any) -> Any:
    """``c * log(x)``, and 0 where one of them is 0."""
    dtype, args, weak = floats(r, c, x)

    def point(a: Any, b: Any) -> Any:
        a, b = cast(a, dtype), cast(b, dtype)
        zero = zero_of(dtype)
        parts = tuple(Op("equal", (e, zero), "b1") for e in (a, b))
        skip = Op("logical_or", parts, "b1")
        log = Op("log", (Op("where", (skip, Lit(1.0, dtype), b), dtype),), dtype)
        return Op("where", (skip, zero, Op("multiply", (a, log), dtype)), dtype)

    return mapped(r, point, dtype, args, weak)


@reads_helper("share")
def share(r: Reader, x: Any, y: Any) -> Any:
    """The share of ``exp(x)`` in ``exp(x) + exp(y)``."""
    dtype, args, weak = floats(r, x, y)

    def point(a: Any, b: Any) -> Any:
        a, b = cast(a, dtype), cast(b, dtype)
        same = Op("equal", (a, b), "b1")
        gap = Op("where", (same, zero_of(dtype), Op("subtract", (b, a), dtype)), dtype)
        small = Op("exp", (Op("negative", (Op("absolute", (gap,), dtype),), dtype),), dtype)
        one = Lit(1.0, dtype)
        top = Op("where", (Op("greater", (gap, zero_of(dtype)), "b1"), small, one), dtype)
        return Op("divide", (top, Op("add", (one, small), dtype)), dtype)

    return mapped(r, point, dtype, args, weak)


@reads_helper("sigmoid")
def sigmoid(r: Reader, x: Any) -> Any:
    """``1 / (1 + exp(-x))``."""
    dtype, args, weak = floats(r, x)
    return mapped(r, lambda a: Op("sigmoid", (cast(a, dtype),), dtype), dtype, args, weak)


@reads_helper("if_inside")
def if_inside(r: Reader, c: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    """``c`` where ``low <= x <= high``, else 0."""
    found = c
    if limit(low):
        found = where(r, elementwise(r, np.greater_equal, x, low), found, scalar(0.0))
    if limit(high):
        found = where(r, elementwise(r, np.less_equal, x, high), found, scalar(0.0))
    return found


@reads_helper("one_less")
def one_less(r: Reader, y: Any, x: Any = None) -> Any:
    """``rt.one_less``: the exponent of the slope of a power."""
    y = r.array(y)
    if isinstance(y, View):
        return one_less_each(r, y, x)
    y = r.number(y)
    if y.weak is not True and (y.weak is not False or y.dtype != "f8"):
        raise Unsupported("rt.one_less of this")
    if y.dtype == "i8":
        if y.literal == 0:
            base = r.number(x)
            if base.weak is not True:
                raise Unsupported("rt.one_less of 0")
            zero = Op("not_equal", (cast(base.expr, "f8"), Lit(0.0, "f8")), "b1")
            return Scalar(r.named(Op("negative", (cast(zero, "i8"),), "i8")))
        if y.literal is None:
            r.bail(Op("equal", (y.expr, integer(0)), "b1"))
        return Scalar(minus(y.expr, 1))
    return Scalar(one_less_of_float(r, y, r.array(x)), y.weak)


def one_less_of_float(r: Reader, y: Scalar, base: Any) -> Any:
    zero, less = Lit(0.0, "f8"), Op("subtract", (y.expr, Lit(1.0, "f8")), "f8")
    if y.literal:
        return less
    nothing = Op("equal", (y.expr, zero), "b1")
    if isinstance(base, Scalar) and base.dtype == "f8":
        both = Op("logical_and", (nothing, Op("equal", (base.expr, zero), "b1")), "b1")
        return Op("where", (both, zero, less), "f8")
    r.bail(nothing)
    return less


def one_less_each(r: Reader, y: View, x: Any) -> Any:
    """Exponents less one, and 0 where the base is 0, too."""
    if y.dtype[0] != "f" or r.array(x).dtype != y.dtype:
        raise Unsupported("rt.one_less between dtypes")
    zeros = [elementwise(r, np.equal, e, scalar(0)) for e in (y, x)]
    less = elementwise(r, np.subtract, y, scalar(1))
    return where(r, elementwise(r, np.logical_and, *zeros), scalar(0), less)


@reads_helper("typed")
def typed(r: Reader, c: Any, like: Any) -> Any:
    """``rt.typed`` of what is an array."""
    if not isinstance(c, View):
        raise Unsupported("rt.typed of a number")
    return c


@reads_helper("if_float")
def if_float(r: Reader, c: Any, like: Any) -> Any:
    if r.array(like).dtype[0] != "f":
        raise Unsupported("rt.if_float of an integer")
    return c


@reads_helper("sign")
@complex_too
def sign(r: Reader, x: Any) -> Any:
    """``rt.sign``: a Python number's is one, too."""
    x = r.array(x)
    return elementwise(r, np.sign, x, weak=all_weak(x))


@reads_helper("cast")
@complex_too
def cast_like(r: Reader, c: Any, like: Any) -> Any:
    """``rt.cast``: in the precision of what has one."""
    if isinstance(c, Items):
        raise Unsupported("rt.cast of a container")
    c, like = r.array(c), r.array(like)
    if c.dtype == "c16" != like.dtype:
        return cast_like(r, real_part(r, c), like)
    if any(isinstance(v, Scalar) and v.mixed and v.dtype != "f8" for v in (c, like)):
        raise Unsupported("rt.cast of a number that is Python's or NumPy's")
    if like.dtype == "c16" != c.dtype:
        raise Unsupported("rt.cast to complex numbers")
    typed = not (isinstance(like, Scalar) and like.weak) and like.dtype[0] == "f"
    if not typed or c.dtype == like.dtype or (isinstance(c, Scalar) and c.weak):
        return c
    return astype(r, c, Constant(dtype_of(like.dtype)))


@reads_helper("convert")
def convert(r: Reader, c: Any, like: Any) -> Any:
    """``rt.convert`` to floats."""
    if isinstance(c, Items) or isinstance(like, Items) or r.array(like).dtype[0] != "f":
        raise Unsupported("rt.convert of this")
    return cast_like(r, c, like)


def in_precision(r: Reader, c: Any, like: Any) -> Any:
    """What is of another precision than ``like``, in that of it."""
    return cast_like(r, c, like) if {c.dtype, like.dtype} == {"f4", "f8"} else c


@reads_helper("if_larger")
def if_larger(r: Reader, c: Any, x: Any, y: Any) -> Any:
    """``c`` where ``x`` is the larger, half in a tie, else 0."""
    c, x, y = r.array(c), r.array(x), r.array(y)
    if common(c, x, y) != c.dtype:
        raise Unsupported("rt.if_larger between dtypes")
    half = elementwise(r, np.divide, c, scalar(2.0))
    tie = where(r, elementwise(r, np.equal, x, y), half, c)
    found = where(r, elementwise(r, np.less, x, y), scalar(0.0), tie)
    return Scalar(found.expr, all_weak(c, x, y)) if isinstance(found, Scalar) else found
