"""Python's operators and ``math``: Python's arithmetic for Python numbers, NumPy's for all else."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...loop_ir.ir import Lit, Op, Var, affine, integer, minus
from ...loop_ir.scalar_operations import cast, literal, operation, power
from ...loop_ir.values import Items, Scalar, all_weak, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_helper
from ..numpy.complex_numbers import is_complex
from ..numpy.elementwise import UFUNCS, elementwise
from ..numpy.products import matmul
from ..reader import Reader

__all__ = ["binary", "compare", "math_call", "unary"]


OPERATORS: dict[type, Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide,
    ast.Pow: np.power, ast.FloorDiv: np.floor_divide, ast.Mod: np.remainder,
    ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Lt: np.less, ast.LtE: np.less_equal,
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.USub: np.negative, ast.UAdd: np.positive,
}  # fmt: skip


ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)
BITWISE = {ast.BitAnd: np.logical_and, ast.BitOr: np.logical_or, ast.Invert: np.logical_not}


def binary(r: Reader, op: ast.operator, a: Any, b: Any) -> Any:
    """``a op b``: Python's arithmetic if both are Python numbers."""
    if isinstance(a, Items) and isinstance(b, Items) and isinstance(op, ast.Add):
        return Items(a.values + b.values, kind=a.kind)
    if any(map(is_complex, (a, b))) and not isinstance(op, ARITHMETIC):
        raise Unsupported(f"the operator {type(op).__name__} of complex numbers")
    if isinstance(op, ast.MatMult):
        return matmul(r, a, b)
    if type(op) in BITWISE and {r.array(a).dtype, r.array(b).dtype} == {"b1"}:
        return elementwise(r, BITWISE[type(op)], a, b)
    if type(op) not in OPERATORS:
        raise Unsupported(f"the operator {type(op).__name__}")
    weak = all_weak(a, b)
    if weak is not False:
        return Scalar(python_binary(r, op, a, b).expr, weak)
    return elementwise(r, OPERATORS[type(op)], a, b)


@reads_helper("mul")
@complex_too
def mul(r: Reader, a: Any, b: Any) -> Any:
    return binary(r, ast.Mult(), a, b)


@reads_helper("div")
@complex_too
def div(r: Reader, a: Any, b: Any) -> Any:
    return binary(r, ast.Div(), a, b)


def python_binary(r: Reader, op: ast.operator, a: Scalar, b: Scalar) -> Scalar:
    kinds = (a.dtype, b.dtype)
    kind = next((k for k in ("c16", "f8") if k in kinds), "i8")
    x, y = cast(a.expr, kind), cast(b.expr, kind)
    if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
        return division(r, op, x, y, kind)
    if isinstance(op, ast.Pow):
        return python_power(r, x, y, kind, b)
    return Scalar(operation(UFUNCS[OPERATORS[type(op)]], [x, y], kind))


def division(r: Reader, op: ast.operator, x: Any, y: Any, kind: str) -> Scalar:
    """A division of Python numbers: the NumPy text raises where the divisor is zero."""
    y = r.named(y)
    if kind == "i8" and not isinstance(op, ast.Div) and literal(y) and literal(x) is not None:
        whole, rest = divmod(literal(x), literal(y))
        return Scalar(integer(whole if isinstance(op, ast.FloorDiv) else rest))
    if not literal(y):
        r.bail(Op("equal", (y, integer(0) if kind == "i8" else Lit(0.0, kind)), "b1"))
    if kind == "c16":
        return Scalar(Op("divide", (x, y), kind))
    if isinstance(op, ast.Div):
        return Scalar(Op("divide", (cast(x, "f8"), cast(y, "f8")), "f8"))
    x, name = r.named(x), "floor_divide" if isinstance(op, ast.FloorDiv) else "remainder"
    return Scalar(r.named(Op(name, (x, y), kind)))


def python_power(r: Reader, x: Any, y: Any, kind: str, exponent: Scalar) -> Scalar:
    k = exponent.literal
    if kind == "c16":
        return complex_power(r, r.named(x), r.named(y))
    if kind == "i8" and (k is None or k not in (1, 2)):
        return integer_power(r, x, y)
    known = power([x, y], kind)
    if known is not None and not (k is not None and k < 0):
        if k == 0.5:
            r.bail(Op("less", (x, Lit(0.0, "f8")), "b1"))
        return Scalar(known)
    x, y = r.named(x), r.named(y)
    value = r.named(Op("power", (x, y), "f8"))
    r.bail(Op("logical_not", (Op("isfinite", (value,), "b1"),), "b1"))  # raises, or is complex
    return Scalar(value)


def integer_power(r: Reader, x: Any, y: Any) -> Scalar:
    """A power of integers, where it is one that a kernel takes; a negative exponent gives a float."""
    base, exponent = literal(x), literal(y)
    if base is not None and exponent is not None and 0 <= exponent < 64:
        if abs(base**exponent) >= 2**31:
            raise Unsupported("an integer beyond 2**31")
        return Scalar(integer(base**exponent))
    if not r.complex:  # the other languages have no such function
        raise Unsupported("a power of integers")
    y = r.named(y)
    r.bail(Op("less", (y, integer(0)), "b1"))
    value = r.named(Op("ipow", (r.named(x), y), "i8"))
    r.bail(Op("greater_equal", (Op("absolute", (value,), "i8"), integer(2**31)), "b1"))
    return Scalar(affine(value))


def complex_power(r: Reader, x: Any, y: Any) -> Scalar:
    """A power of Python's complex numbers, which raises of zero, and where it is too large."""
    r.bail(Op("equal", (x, Lit(0j, "c16")), "b1"))
    value = r.named(operation("power", [x, y], "c16"))
    for part in ("real", "imag"):
        finite = Op("isfinite", (Op(part, (value,), "f8"),), "b1")
        r.bail(Op("logical_not", (finite,), "b1"))
    return Scalar(value)


def compare(r: Reader, op: ast.cmpop, a: Any, b: Any) -> Any:
    if any(map(is_complex, (a, b))) and not isinstance(op, (ast.Eq, ast.NotEq)):
        raise Unsupported("an order of complex numbers")
    if type(op) not in OPERATORS:
        raise Unsupported(f"the comparison {type(op).__name__}")
    found = elementwise(r, OPERATORS[type(op)], a, b, weak=all_weak(a, b))
    if r.program is not None and isinstance(found, Scalar):
        known = about_ones(found.expr)
        return found if known is None else Scalar(Lit(known, "b1"), found.weak)
    return found


def about_ones(e: Any) -> bool | None:
    """Whether the size of an argument is 1, which sends a call elsewhere; None for another question."""
    if not isinstance(e, Op) or e.name not in ("equal", "not_equal") or e.args[0].dtype != "i8":
        return None
    gap = minus(*e.args)
    (atom, k), *more = gap.terms or [(None, 0)]
    if more or abs(k) != 1 or gap.const != -k or not isinstance(atom, Var):
        return None
    return e.name == "not_equal" if atom.name.startswith("n_") else None


def unary(r: Reader, op: ast.unaryop, a: Any) -> Any:
    if isinstance(op, ast.Not):
        return Scalar(Op("logical_not", (cast(r.number(a).expr, "b1"),), "b1"))
    if isinstance(op, ast.Invert):
        return elementwise(r, BITWISE[ast.Invert], a)
    if isinstance(a, Scalar) and a.weak and a.dtype == "b1":
        a = Scalar(cast(a.expr, "i8"))
    if isinstance(a, Scalar) and a.weak and a.literal is not None and isinstance(op, ast.USub):
        value = -a.literal
        return Scalar(integer(value) if a.dtype == "i8" else Lit(value, a.dtype))
    return elementwise(r, OPERATORS[type(op)], a, weak=all_weak(a))


MATH = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "log2": "log2",
    "log10": "log10", "sqrt": "sqrt", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "sin": "sin",
    "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2",
    "fabs": "absolute", "pow": "power", "hypot": "hypot", "cbrt": "cbrt", "erf": "erf",
    "erfc": "erfc", "copysign": "copysign",
}  # fmt: skip
FACTORS = {"radians": math.pi / 180, "degrees": 180 / math.pi}


@reads(pow)
def powered(r: Reader, a: Any, b: Any) -> Any:
    """``pow(a, b)``."""
    return binary(r, ast.Pow(), a, b)


def how_many(name: str) -> int:
    """How many numbers a function of ``math`` takes that is read."""
    count: int = getattr(getattr(np, MATH[name], None), "nin", 1)
    return count


def known_result(name: str, numbers: list[Any]) -> Scalar:
    """A function of Python's for numbers that are known."""
    try:
        return scalar(getattr(math, name)(*numbers))
    except (ArithmeticError, ValueError) as error:
        raise Unsupported(f"math.{name} of this") from error


def math_call(r: Reader, name: str, args: list[Any]) -> Any:
    """``math.name(*args)``: what is not finite is left to Python, which may raise."""
    literals = [r.number(a).literal for a in args]
    if r.device is not None and None not in literals:  # nothing to wait for
        return known_result(name, literals)
    numbers = [cast(r.number(a).expr, "f8") for a in args]
    known = traits_of(getattr(math, name, None))
    if known.gives == "truth":
        return Scalar(Op(name, tuple(numbers), "b1"))
    if name in FACTORS:
        return Scalar(Op("multiply", (numbers[0], Lit(FACTORS[name], "f8")), "f8"))
    if name in ("floor", "ceil", "trunc"):  # Python's integers, which may be of any size
        value = r.named(Op(name, tuple(numbers), "f8"))
        size = Op("absolute", (value,), "f8")
        r.bail(Op("logical_not", (Op("less", (size, Lit(2.0**31, "f8")), "b1"),), "b1"))
        return Scalar(r.named(cast(value, "i8"), "k"))
    if name not in MATH:
        raise Unsupported(f"math.{name}")
    if name == "log" and len(numbers) == 2:  # what Python computes
        found = Op("divide", tuple(Op("log", (x,), "f8") for x in numbers), "f8")
    elif len(numbers) != how_many(name):
        raise Unsupported(f"math.{name} of so many numbers")
    else:
        found = Op(MATH[name], tuple(numbers), "f8")
    value = r.named(found)
    if known.total is not True:
        r.bail(Op("logical_not", (Op("isfinite", (value,), "b1"),), "b1"))
    return Scalar(value)
