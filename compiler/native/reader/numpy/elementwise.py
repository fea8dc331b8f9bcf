"""Scalar operations, and their broadcasting over arrays: dtypes as NumPy resolves them."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...loop_ir.ir import Affine, Expr, Lit, Op, integer, minus, plus, times
from ..values import Items, Scalar, Unsupported, View, all_weak, code_of, dtype_of

if TYPE_CHECKING:
    from ..reader import Reader

__all__ = ["UFUNCS", "binary", "cast", "compare", "elementwise", "math_call", "number", "unary"]

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
OPERATORS: dict[type, Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide,
    ast.Pow: np.power, ast.FloorDiv: np.floor_divide, ast.Mod: np.remainder,
    ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Lt: np.less, ast.LtE: np.less_equal,
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.USub: np.negative, ast.UAdd: np.positive,
}  # fmt: skip
PYTHON = {"f8": float, "i8": int, "b1": bool}
BITWISE = {ast.BitAnd: np.logical_and, ast.BitOr: np.logical_or, ast.Invert: np.logical_not}


def cast(e: Any, dtype: str) -> Expr:
    """An expression in another dtype."""
    if e.dtype == dtype:
        return e  # type: ignore[no-any-return]
    value = literal(e)
    if value is not None:
        return (
            integer(int(value)) if dtype == "i8" else Lit(dtype_of(dtype).type(value).item(), dtype)
        )
    return Op("cast", (e,), dtype)


def literal(e: Any) -> Any:
    if isinstance(e, Lit):
        return e.value
    return e.const if isinstance(e, Affine) and not e.terms else None


def number(value: Any) -> bool:
    return isinstance(value, Scalar)


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
    readers = [spread(r, a, dims) for a in args]
    return View(dims, dtype, lambda index: point(*[read(index) for read in readers]))


def spread(r: Reader, value: Any, dims: tuple[Any, ...]) -> Any:
    """How the element of ``value`` that meets an index of a broadcast result is read."""
    if isinstance(value, Scalar):
        expr = value.expr
        return lambda index: expr
    if len(value.dims) > len(dims):
        raise Unsupported("an array of more axes than where it goes")
    stretched = [
        is_one(n) and not is_one(m) for n, m in zip(value.dims, aligned(value, dims), strict=True)
    ]
    if (any(stretched) or len(value.dims) < len(dims)) and not value.cheap:
        value = r.materialised(value)
    skip = len(dims) - len(value.dims)
    at, zero = value.at, integer(0)
    return lambda index: at(
        tuple(zero if flat else i for i, flat in zip(index[skip:], stretched, strict=True))
    )


def aligned(value: View, dims: tuple[Any, ...]) -> tuple[Any, ...]:
    return dims[len(dims) - len(value.dims) :]


def is_one(n: Any) -> bool:
    return bool(literal(n) == 1)


# -- one scalar operation -----------------------------------------------------------------


def operation(name: str, args: list[Any], dtype: str) -> Expr:
    """``Op``, with powers written out, and integers in normal form."""
    if dtype == "i8" and name in ("add", "subtract", "multiply", "negative"):
        return integer_operation(name, args)
    if name == "power" and (known := power(args, dtype)) is not None:
        return known
    if name == "positive":
        return args[0]  # type: ignore[no-any-return]
    if name == "square":
        return Op("square", tuple(args), dtype)
    if name == "reciprocal" and dtype[0] == "f":
        return Op("divide", (Lit(1.0, dtype), args[0]), dtype)
    return fold(Op(name, tuple(args), dtype))


def fold(e: Op) -> Expr:
    """Arithmetic of literals, and what a neutral literal leaves alone."""
    a, *rest = [x.value if isinstance(x, Lit) else None for x in e.args]
    if e.dtype[0] != "f" or not all(x.dtype == e.dtype for x in e.args):
        return e
    if rest and e.name == "multiply" and 1.0 in (a, rest[0]):
        return e.args[1] if a == 1.0 else e.args[0]  # type: ignore[no-any-return]
    return e


def power(args: list[Any], dtype: str) -> Expr | None:
    """A power with a known exponent, as NumPy's own short ways have it."""
    x, k = args[0], literal(args[1])
    if k is None or (dtype[0] != "f" and not (dtype == "i8" and k in (1, 2))):
        return None
    if dtype == "i8":
        return x if k == 1 else times(x, x)
    if k in (1, 2, 3, 4):
        return x if k == 1 else Op({2: "square", 3: "cube", 4: "fourth"}[int(k)], (x,), dtype)
    if k == 0:
        return Lit(1.0, dtype)
    if k in (-1, -2):
        base = x if k == -1 else Op("square", (x,), dtype)
        return Op("divide", (Lit(1.0, dtype), base), dtype)
    return Op("sqrt", (x,), dtype) if k == 0.5 else None


def integer_operation(name: str, args: list[Any]) -> Expr:
    if name == "negative":
        return times(-1, args[0])
    return {"add": plus, "subtract": minus, "multiply": times}[name](*args)


# -- Python's operators -------------------------------------------------------------------


def binary(r: Reader, op: ast.operator, a: Any, b: Any) -> Any:
    """``a op b``: Python's arithmetic if both are Python numbers."""
    if isinstance(a, Items) and isinstance(b, Items) and isinstance(op, ast.Add):
        return Items(a.values + b.values, kind=a.kind)
    if isinstance(op, ast.MatMult):
        from .products import matmul

        return matmul(r, a, b)
    if type(op) in BITWISE and {r.array(a).dtype, r.array(b).dtype} == {"b1"}:
        return elementwise(r, BITWISE[type(op)], a, b)
    if type(op) not in OPERATORS:
        raise Unsupported(f"the operator {type(op).__name__}")
    weak = all_weak(a, b)
    if weak is not False:
        return Scalar(python_binary(r, op, a, b).expr, weak)
    return elementwise(r, OPERATORS[type(op)], a, b)


def python_binary(r: Reader, op: ast.operator, a: Scalar, b: Scalar) -> Scalar:
    kind = "f8" if "f8" in (a.dtype, b.dtype) else "i8"
    x, y = cast(a.expr, kind), cast(b.expr, kind)
    if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
        return division(r, op, x, y, kind)
    if isinstance(op, ast.Pow):
        return python_power(r, x, y, kind, b)
    return Scalar(operation(UFUNCS[OPERATORS[type(op)]], [x, y], kind))


def division(r: Reader, op: ast.operator, x: Any, y: Any, kind: str) -> Scalar:
    """A division of Python numbers: the NumPy text raises where the divisor is zero."""
    y = r.named(y)
    if not literal(y):
        r.bail(Op("equal", (y, Lit(0.0, "f8") if kind == "f8" else integer(0)), "b1"))
    if isinstance(op, ast.Div):
        return Scalar(Op("divide", (cast(x, "f8"), cast(y, "f8")), "f8"))
    x, name = r.named(x), "floor_divide" if isinstance(op, ast.FloorDiv) else "remainder"
    return Scalar(r.named(Op(name, (x, y), kind)))


def python_power(r: Reader, x: Any, y: Any, kind: str, exponent: Scalar) -> Scalar:
    k = exponent.literal
    if kind == "i8" and (k is None or k not in (1, 2)):
        raise Unsupported("a power of integers")
    known = power([x, y], kind)
    if known is not None and not (k is not None and k < 0):
        if k == 0.5:
            r.bail(Op("less", (x, Lit(0.0, "f8")), "b1"))
        return Scalar(known)
    x, y = r.named(x), r.named(y)
    value = r.named(Op("power", (x, y), "f8"))
    r.bail(Op("logical_not", (Op("isfinite", (value,), "b1"),), "b1"))  # raises, or is complex
    return Scalar(value)


def compare(r: Reader, op: ast.cmpop, a: Any, b: Any) -> Any:
    if type(op) not in OPERATORS:
        raise Unsupported(f"the comparison {type(op).__name__}")
    return elementwise(r, OPERATORS[type(op)], a, b, weak=all_weak(a, b))


def unary(r: Reader, op: ast.unaryop, a: Any) -> Any:
    if isinstance(op, ast.Not):
        return Scalar(Op("logical_not", (cast(r.number(a).expr, "b1"),), "b1"))
    if isinstance(op, ast.Invert):
        return elementwise(r, BITWISE[ast.Invert], a)
    if isinstance(a, Scalar) and a.weak and a.dtype == "b1":
        a = Scalar(cast(a.expr, "i8"))
    if isinstance(a, Scalar) and a.weak and a.literal is not None and isinstance(op, ast.USub):
        value = -a.literal
        return Scalar(Lit(value, "f8") if a.dtype == "f8" else integer(value))
    return elementwise(r, OPERATORS[type(op)], a, weak=all_weak(a))


# -- math.* -------------------------------------------------------------------------------

MATH = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "log2": "log2",
    "log10": "log10", "sqrt": "sqrt", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "sin": "sin",
    "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2",
    "fabs": "absolute", "pow": "power", "hypot": "hypot", "cbrt": "cbrt", "erf": "erf",
    "erfc": "erfc", "copysign": "copysign",
}  # fmt: skip


def math_call(r: Reader, name: str, args: list[Any]) -> Any:
    """``math.name(*args)``: what is not finite is left to Python, which may raise."""
    numbers = [cast(r.number(a).expr, "f8") for a in args]
    known = traits_of(getattr(math, name, None))
    if known.gives == "truth":
        return Scalar(Op(name, tuple(numbers), "b1"))
    if name not in MATH:
        raise Unsupported(f"math.{name}")
    value = r.named(Op(MATH[name], tuple(numbers), "f8"))
    if known.total is not True:
        r.bail(Op("logical_not", (Op("isfinite", (value,), "b1"),), "b1"))
    return Scalar(value)
