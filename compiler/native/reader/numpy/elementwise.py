"""Elementwise functions, and their broadcasting over arrays: dtypes as NumPy resolves them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...loop_ir.ir import Bail, Expr, Lit, Op, integer
from ...loop_ir.scalar_operations import cast, is_one, operation
from ...loop_ir.values import Constant, Items, Scalar, View, code_of, common, dtype_of
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_helper, reads_method, reads_ufunc_method
from ..options import dtype_option
from ..reader import Reader

__all__ = ["astype", "elementwise", "in_dtype", "mapped", "where"]


UFUNCS: dict[Any, str] = {
    getattr(np, name): name
    for name in [
        "add",
        "subtract",
        "multiply",
        "divide",
        "negative",
        "positive",
        "power",
        "square",
        "sqrt",
        "reciprocal",
        "exp",
        "expm1",
        "exp2",
        "log",
        "log1p",
        "log2",
        "log10",
        "tanh",
        "sinh",
        "cosh",
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "arcsinh",
        "arccosh",
        "arctanh",
        "arctan2",
        "hypot",
        "cbrt",
        "logaddexp",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "absolute",
        "fabs",
        "sign",
        "floor",
        "ceil",
        "rint",
        "trunc",
        "floor_divide",
        "remainder",
        "isnan",
        "isinf",
        "isfinite",
        "signbit",
        "copysign",
        "greater",
        "greater_equal",
        "less",
        "less_equal",
        "equal",
        "not_equal",
        "logical_and",
        "logical_or",
        "logical_not",
    ]
}


PYTHON = {"f8": float, "i8": int, "b1": bool, "c16": complex}


def elementwise(r: Reader, ufunc: Any, *args: Any, weak: Any = False) -> Any:
    """``ufunc(*args)``, arguments being scalars and views; ``weak``: the result is a Python number."""
    args = tuple(r.array(a) for a in args)
    codes, dtype = resolved(ufunc, args, True)
    mixed = any(isinstance(a, Scalar) and a.mixed for a in args)
    if mixed and (codes, dtype) != resolved(ufunc, args, False):
        raise Unsupported("a number that is Python's or NumPy's, of another dtype")
    if codes == ["b1"] * len(codes) and ufunc in (np.subtract, np.negative):
        raise Unsupported(f"np.{ufunc.__name__} of booleans")
    name = UFUNCS[ufunc]

    def point(*xs: Any) -> Expr:
        return operation(name, [cast(x, code) for x, code in zip(xs, codes, strict=True)], dtype)

    return mapped(r, point, dtype, args, weak)


def resolved(ufunc: Any, args: tuple[Any, ...], mixed: bool) -> tuple[list[str], str]:
    """The dtypes a ufunc computes in; ``mixed``: what may be Python's number is one."""
    weak = [isinstance(a, Scalar) and (mixed if a.mixed else a.weak) for a in args]
    given = tuple(
        PYTHON[a.dtype] if soft and not all(weak) else dtype_of(a.dtype)
        for a, soft in zip(args, weak, strict=True)
    )
    try:
        *inner, out = ufunc.resolve_dtypes((*given, None))
    except TypeError:
        raise Unsupported(f"np.{ufunc.__name__} of these dtypes") from None
    return [code_of(d) for d in inner], code_of(out)


def mapped(r: Reader, point: Any, dtype: str, args: tuple[Any, ...], weak: Any = False) -> Any:
    """A scalar function over broadcast arguments."""
    if all(isinstance(a, Scalar) for a in args):
        return Scalar(point(*[a.expr for a in args]), weak)
    dims = r.broadcast([a.dims for a in args])
    readers = [r.spread(a, dims) for a in args]
    return View(dims, dtype, lambda index: point(*[read(index) for read in readers]))


@reads(np.where)
@complex_too
def where(r: Reader, cond: Any, a: Any, b: Any) -> Any:
    cond, a, b = (r.array(v) for v in (cond, a, b))
    dtype = common(a, b)
    return mapped(
        r,
        lambda c, x, y: Op("where", (cast(c, "b1"), cast(x, dtype), cast(y, dtype)), dtype),
        dtype,
        (cond, a, b),
    )


@reads(np.clip)
@reads_method("clip")
def clip(r: Reader, x: Any, a_min: Any = None, a_max: Any = None) -> Any:
    value = elementwise(r, np.positive, x)  # NumPy's number, be there limits or not
    for limit, pick_ in ((a_min, np.maximum), (a_max, np.minimum)):
        if limit is not None and not (isinstance(limit, Constant) and limit.value is None):
            value = elementwise(r, pick_, value, limit)
    return value


@reads_helper("stop_gradient", "check_scalar")
@complex_too
def same(r: Reader, value: Any, *rest: Any) -> Any:
    """A function that gives back its first argument."""
    return value


@reads(np.abs)
@complex_too
def absolute(r: Reader, x: Any) -> Any:
    """``np.abs``."""
    return elementwise(r, np.absolute, r.array(x))


@reads_method("item")
def item(r: Reader, x: Any) -> Any:
    """``x.item()``: the one number, as Python's."""
    x = r.array(x)
    dims = () if isinstance(x, Scalar) else x.dims
    if x.dtype not in PYTHON or not all(is_one(n) for n in dims):
        raise Unsupported("an item of this")
    return Scalar(
        r.named(x.expr if isinstance(x, Scalar) else x.at(tuple(integer(0) for _ in dims)))
    )


@reads(np.result_type)
@complex_too
def result_type(r: Reader, *values: Any) -> Constant:
    """``np.result_type``."""
    parts = [v for v in values if not isinstance(v, Constant)]
    known_types = [np.dtype(v.value) for v in values if isinstance(v, Constant)]
    if any(isinstance(v, Items) for v in parts):
        raise Unsupported("np.result_type of this")
    found = [dtype_of(common(*parts))] if parts else []
    return Constant(np.result_type(*found, *known_types))


def in_dtype(r: Reader, x: Any, dtype: str) -> Any:
    if x.dtype == dtype:
        return x
    return mapped(r, lambda e: cast(e, dtype), dtype, (x,))


@reads_method("astype")
@complex_too
def astype(r: Reader, x: Any, dtype: Any, copy: Any = None) -> Any:
    x = r.array(x)
    code = dtype_option(r, dtype)
    if x.dtype == "c16" != code:
        raise Unsupported("complex numbers as real ones")
    if code == "b1" and x.dtype[0] == "f":
        raise Unsupported("floats as booleans")
    if code == "i8" and x.dtype[0] == "f":
        return truncated(r, x)
    return mapped(r, lambda e: cast(e, code), code, (x,))


def truncated(r: Reader, x: Any) -> Any:
    """Floats as integers, which they are small enough for."""
    if r.device is not None:
        raise Unsupported("floats as integers")

    def large(e: Any) -> Any:
        size = Op("absolute", (e,), x.dtype)
        return Bail(Op("logical_not", (Op("less", (size, Lit(2.0**31, x.dtype)), "b1"),), "b1"))

    if isinstance(x, Scalar):
        e = r.named(x.expr)
        r.emit(large(e))
        return Scalar(Op("cast", (e,), "i8"), weak=False)
    whole = r.materialised(x)
    r.nest(whole.dims, lambda index: [large(whole.at(index))])
    return mapped(r, lambda e: Op("cast", (e,), "i8"), "i8", (whole,))


def outer(ufunc: Any, r: Reader, a: Any, b: Any) -> Any:
    """``ufunc.outer``: every element with every one."""
    a, b = r.array(a), r.array(b)
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        return elementwise(r, ufunc, a, b)
    a, rank = r.materialised(a), len(a.dims)
    dims = (*a.dims, *(integer(1) for _ in b.dims))
    return elementwise(
        r, ufunc, View(dims, a.dtype, lambda index: a.at(index[:rank]), cheap=True), b
    )


for each in UFUNCS:
    if each.nin == 2 and each is not np.multiply:  # see ``products``
        reads_ufunc_method(each, "outer")(partial(outer, each))


def numpy_number(r: Reader, x: Any, code: str) -> Any:
    x = r.array(x)
    return mapped(r, lambda e: cast(e, code), code, (x,))


@reads(np.float64)
def float64(r: Reader, x: Any) -> Any:
    return numpy_number(r, x, "f8")


@reads(np.float32)
def float32(r: Reader, x: Any) -> Any:
    return numpy_number(r, x, "f4")
