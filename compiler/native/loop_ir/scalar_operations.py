"""Scalar operations: casts, and what is known before the kernel runs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..refusal import Unsupported
from .ir import Affine, Expr, Lit, Op, affine, integer, minus, plus, times
from .values import dtype_of

__all__ = ["cast", "is_one", "less", "less_equal", "literal", "operation", "power"]


def cast(e: Any, dtype: str) -> Expr:
    """An expression in another dtype."""
    if e.dtype == dtype:
        return e  # type: ignore[no-any-return]
    if e.dtype == "c16" and dtype != "b1":
        raise Unsupported("a complex number where a real one is needed")
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


def is_one(n: Any) -> bool:
    return bool(literal(n) == 1)


def operation(name: str, args: list[Any], dtype: str) -> Expr:
    """``Op``, with powers written out, and integers in normal form."""
    if dtype == "i8" and name in ("add", "subtract", "multiply", "negative"):
        return integer_operation(name, args)
    if (
        dtype == "i8"
        and name in ("floor_divide", "remainder")
        and literal(args[1]) in (None, 0, -1)
    ):
        return whole_quotient(name, *args)
    if name == "power" and (known := power(args, dtype)) is not None:
        return known
    if name == "positive":
        return args[0]  # type: ignore[no-any-return]
    if name == "square":
        return Op("square", tuple(args), dtype)
    if name == "reciprocal" and dtype[0] in "fc":
        return Op("divide", (Lit(1.0, dtype), args[0]), dtype)
    return fold(Op(name, tuple(args), dtype))


def whole_quotient(name: str, a: Any, b: Any) -> Expr:
    """``a // b`` or ``a % b`` of NumPy's integers: 0 if ``b`` is, where a processor would end the process, as for -1 it may."""
    none, less = (Op("equal", (b, integer(k)), "b1") for k in (0, -1))
    other = Op("where", (Op("logical_or", (none, less), "b1"), integer(1), b), "i8")
    at_once = integer(0) if name == "remainder" else integer_operation("negative", [a])
    found = Op("where", (none, integer(0), Op(name, (a, other), "i8")), "i8")
    return Op("where", (less, at_once, found), "i8")


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip


def compared(e: Op) -> Expr | None:
    """A comparison of integers that are known, or differ by what is known."""
    if any(x.dtype != "i8" for x in e.args):
        return None
    difference = minus(*e.args)
    return None if difference.terms else Lit(COMPARED[e.name](difference.const, 0), "b1")


def fold(e: Op) -> Expr:
    """Arithmetic of literals, and what a neutral literal leaves alone."""
    if e.name in COMPARED and (known := compared(e)) is not None:
        return known
    a, *rest = [x.value if isinstance(x, Lit) else None for x in e.args]
    if e.dtype[0] != "f" or not all(x.dtype == e.dtype for x in e.args):
        return e
    if rest and e.name == "multiply" and 1.0 in (a, rest[0]):
        return e.args[1] if a == 1.0 else e.args[0]  # type: ignore[no-any-return]
    return e


def power(args: list[Any], dtype: str) -> Expr | None:
    """A power with a known exponent, as NumPy's own short ways have it."""
    x, k = args[0], literal(args[1])
    if dtype == "c16":
        return x if k == 1 else Op("multiply", (x, x), dtype) if k == 2 else None
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


def less(a: Any, b: Any) -> Op:
    return Op("less", (affine(a), affine(b)), "b1")


def less_equal(a: Any, b: Any) -> Op:
    return Op("less_equal", (affine(a), affine(b)), "b1")
