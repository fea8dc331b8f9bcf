"""Expressions as people write them in C: brackets only where they are needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..c.choices import may_be_computed
from ..loop_ir.ir import (
    Affine,
    Buffer,
    Get,
    Lit,
    Op,
    Var,
    affine,
    integer,
    plus,
    subexpressions,
    times,
)
from ..loop_ir.operation_traits import scalar_operation
from ..refusal import Unsupported
from .helpers import CHOSEN, called, is_helper

__all__ = ["Expressions", "negated"]

ATOM, UNARY, PRODUCT, SUM, ORDER, EQUAL, BIT, AND, OR, CHOICE = 12, 11, 10, 9, 8, 7, 5, 4, 3, 2
BITS = {"&&": "&", "||": "|"}  # what reads both sides
LEVELS = {
    "*": PRODUCT, "/": PRODUCT, "+": SUM, "-": SUM, ">": ORDER, ">=": ORDER, "<": ORDER, "<=": ORDER, "==": EQUAL,
    "!=": EQUAL, "&&": AND, "||": OR,
}  # fmt: skip
OPPOSITE = {"greater": "less_equal", "greater_equal": "less", "less": "greater_equal", "less_equal": "greater",
            "equal": "not_equal", "not_equal": "equal"}  # fmt: skip


class Expressions:
    """``name_of``: the word for a variable or for memory; ``used``: the functions that are called, by their dtype."""

    def __init__(self, name_of: Callable[[str], str], integer: str) -> None:
        self.name_of = name_of
        self.types = {"f8": "double", "f4": "float", "i8": integer, "b1": "int"}
        self.used: set[tuple[str, str]] = set()

    def expression(self, e: Any, least: int = 0) -> str:
        """The text, in brackets if it binds less than ``least``."""
        text, level = self.parts(e)
        return f"({text})" if level < least else text

    def parts(self, e: Any) -> tuple[str, int]:
        if isinstance(e, Lit):
            return self.literal(e)
        if isinstance(e, Var):
            return self.name_of(e.name), ATOM
        if isinstance(e, Affine):
            return self.integer(e)
        if isinstance(e, Get):
            return self.element(e.buffer, e.index), ATOM
        assert isinstance(e, Op)
        return self.operation(e)

    def literal(self, e: Lit) -> tuple[str, int]:
        if e.dtype[0] != "f":
            return str(int(e.value)), ATOM
        value = float(e.value)
        if math.isnan(value):
            return "NAN", ATOM
        if math.isinf(value):
            text = "INFINITY" if e.dtype == "f4" else "HUGE_VAL"
            return (text, ATOM) if value > 0 else (f"-{text}", UNARY)
        text = f"{np.float32(value)!s}f" if e.dtype == "f4" else repr(value)
        return text, UNARY if text[0] == "-" else ATOM

    def element(self, buffer: Buffer, index: tuple[Any, ...]) -> str:
        name = self.name_of(buffer.name)
        return f"{name}[{self.expression(offset(buffer, index))}]" if buffer.dims else f"*{name}"

    def place(self, start: Get) -> str:
        """A pointer to an element."""
        name, at = (
            self.name_of(start.buffer.name),
            self.expression(offset(start.buffer, start.index)),
        )
        return name if at == "0" else f"&{name}[{at}]"

    # -- integers

    def integer(self, e: Affine) -> tuple[str, int]:
        """A sum of multiples, positive ones first."""
        parts: list[tuple[int, str]] = []
        for atom, k in sorted(e.terms, key=lambda t: (t[1] < 0, -abs(t[1]), rank(t[0]))):
            text = self.expression(atom, PRODUCT)
            parts.append((k, text if abs(k) == 1 else f"{abs(k)}*{text}"))
        if e.const or not parts:
            parts.append((e.const, str(abs(e.const))))
        if parts[0][0] < 0 < parts[-1][0]:
            parts.insert(0, parts.pop())
        first = ("-" if parts[0][0] < 0 else "") + parts[0][1]
        rest = "".join(f" {'-' if k < 0 else '+'} {text}" for k, text in parts[1:])
        alone = ATOM if len(parts) == 1 and "*" not in first and first[0] != "-" else PRODUCT
        return first + rest, SUM if rest else alone

    # -- operations

    def operation(self, e: Op) -> tuple[str, int]:
        name = e.name
        if name == "imul":
            return "*".join(self.expression(a, UNARY) for a in e.args), PRODUCT
        if name == "cast":
            return self.cast(e)
        if name == "negative":
            return f"-{self.expression(e.args[0], ATOM)}", UNARY
        if name == "logical_not":
            return f"!{self.expression(e.args[0], UNARY)}", UNARY
        if name == "where":
            return self.choice(e)
        if name in ("maximum", "minimum") and e.dtype == "i8" and all(map(simple, e.args)):
            test = Op("greater" if name == "maximum" else "less", e.args, "b1")
            return self.choice(Op("where", (test, *e.args), "i8"))
        if name == "equal" and isinstance(e.args[0], Op) and e.args[0].name == "cast":
            whole, number = e.args[0].args[0], e.args[1]
            if whole.dtype == "i8" and isinstance(number, Lit) and float(number.value).is_integer():
                return self.infix(Op("equal", (whole, integer(int(number.value))), "b1"))
        if name == "square" and isinstance(e.args[0], (Var, Get)):
            text = self.expression(e.args[0], UNARY)
            return f"{text} * {text}", PRODUCT
        if scalar_operation(name).infix is not None:
            return self.infix(e)
        return self.call(e)

    def cast(self, e: Op) -> tuple[str, int]:
        if e.dtype == "b1":
            zero = Lit(0.0, e.args[0].dtype) if e.args[0].dtype[0] == "f" else integer(0)
            return self.infix(Op("not_equal", (e.args[0], zero), "b1"))
        return f"({self.types[e.dtype]}){self.expression(e.args[0], UNARY)}", UNARY

    def choice(self, e: Op) -> tuple[str, int]:
        if e.dtype in self.types and e.dtype != "b1" and reads_rows(e.args[1:]):
            self.used.add((CHOSEN, e.dtype))
            text = f"{called(CHOSEN, e.dtype)}({', '.join(map(self.expression, e.args))})"
            return text, ATOM
        test, then, orelse = (self.expression(a, OR) for a in e.args)
        return f"{test} ? {then} : {orelse}", CHOICE

    def infix(self, e: Op) -> tuple[str, int]:
        a, b = e.args
        name = e.name
        if e.dtype == "b1" and name in ("add", "multiply"):
            name = {"add": "logical_or", "multiply": "logical_and"}[name]
        if name == "divide" and a.dtype[0] != "f":
            a, b = (Op("cast", (x,), "f8") for x in (a, b))
        sign = str(scalar_operation(name).infix)
        if sign in BITS and reads_rows((b,)):
            return f" {BITS[sign]} ".join(self.bit(x) for x in (a, b)), BIT
        if sign in "+-" and (less := negated(b)) is not None and e.dtype[0] == "f":
            sign, b = "-" if sign == "+" else "+", less
        level = LEVELS[sign]
        left = self.expression(a, OR + 2 if sign == "||" else level)
        right = self.expression(b, OR + 2 if sign == "||" else level + 1)
        return f"{left} {sign} {right}", level

    def bit(self, e: Any) -> str:
        """A condition as 0 or 1, in brackets."""
        known = isinstance(e, Op) and e.dtype == "b1" and scalar_operation(e.name).infix
        return self.expression(e, ATOM) if known else f"({self.expression(e, EQUAL + 1)} != 0)"

    def call(self, e: Op) -> tuple[str, int]:
        dtype = e.args[0].dtype
        if is_helper(e.name, dtype):
            self.used.add((e.name, dtype))
        return f"{called(e.name, dtype)}({', '.join(map(self.expression, e.args))})", ATOM

    # -- conditions

    def condition(self, e: Any) -> str:
        return self.expression(e)

    def otherwise(self, e: Any) -> str:
        """The opposite of a condition; of floats it is no other comparison, which NaN would not pass."""
        if isinstance(e, Op) and e.name == "logical_not":
            return self.expression(e.args[0])
        if isinstance(e, Op) and e.name in OPPOSITE and e.args[0].dtype == "i8":
            return self.expression(Op(OPPOSITE[e.name], e.args, "b1"))
        return self.expression(Op("logical_not", (e,), "b1"))


def reads_rows(sides: tuple[Any, ...]) -> bool:
    """True if rows of a known length are read in expressions that may be computed though nobody asks for them.

    Loads of such rows under conditions are what gcc mixes up (``../c/choices.py``).
    """
    rows = [
        part
        for side in sides
        for part in subexpressions(side)
        if isinstance(part, Get)
        and any(abs(k) > 1 for _, k in offset(part.buffer, part.index).terms)
    ]
    return bool(rows) and may_be_computed(sides)


def simple(e: Any) -> bool:
    """True of a variable or a number, which may be written twice."""
    e = affine(e) if e.dtype == "i8" else e
    return (
        isinstance(e, Affine)
        and len(e.terms) + bool(e.const) <= 1
        and all(isinstance(a, Var) for a, _ in e.terms)
    )


def negated(e: Any) -> Any:
    """The opposite number, if an expression begins with a minus."""
    if isinstance(e, Op) and e.name == "negative":
        return e.args[0]
    if isinstance(e, Lit) and e.dtype[0] == "f" and e.value < 0:
        return Lit(-e.value, e.dtype)
    if isinstance(e, Op) and e.name in ("multiply", "divide") and e.dtype[0] == "f":
        first = negated(e.args[0])
        return None if first is None else Op(e.name, (first, e.args[1]), e.dtype)
    return None


def rank(atom: Any) -> tuple[int, str]:
    """Products before variables, and these in the order of their letters."""
    return (0, repr(atom)) if isinstance(atom, Op) else (1, repr(atom))


def offset(buffer: Buffer, index: tuple[Any, ...]) -> Affine:
    """Where an element stands, in C order."""
    if len(index) != len(buffer.dims):
        raise Unsupported("an index of another length")
    total = integer(0)
    for i, n in zip(index, buffer.dims, strict=True):
        total = plus(times(total, n), i) if total != integer(0) else affine(i)
    return affine(total)
