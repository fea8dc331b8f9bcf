"""Like terms of a sum: ``x * x + 2 * x * x`` is ``3 * (x * x)``, and ``p * d + q * d`` is ``(p + q) * d``.

A term is a number times factors, over factors; two terms are alike if they have the same ones, in any order.
The product of the user's that is there already is the one that is kept.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.types import Array, Number, kind_of
from .operands import factor_key, folded, is_exact_difference, is_ours, made_by, number

__all__ = ["collected", "factored", "is_float", "is_passing", "rescaled"]

DEEPEST = 6  # products in products
HIGHEST = 4  # powers that are written out


@dataclass
class Term:
    """A number times factors, each with its power: ``sign`` times a value."""

    sign: int
    value: Value
    scale: Any = 1  # the numbers in the value, and how many there are
    numbers: int = 0
    powers: dict[Any, int] = field(default_factory=dict)

    def enter(self, b: Any, x: Operand, power: int = 1, depth: int = DEEPEST) -> bool:
        """Enter the factors of a product; False if they are too many, or no floats."""
        if (value := number(x)) is not None:
            self.scale, self.numbers = self.scale * value, self.numbers + 1
            return power == 1 and not isinstance(value, complex)
        if depth == 0 or not is_float(x):
            return False
        op = b.defs.get(x) if isinstance(x, Value) else None
        if isinstance(op, Apply) and not op.kwargs and len(op.args) == 2:
            first, second = op.args
            if op.fn in (operator.mul, operator.truediv):
                below = power if op.fn is operator.mul else -power
                return self.enter(b, first, power, depth - 1) and self.enter(
                    b, second, below, depth - 1
                )
            n = number(second)
            if op.fn is operator.pow and type(n) is int and 2 <= n <= HIGHEST:
                return self.enter(b, first, power * n, depth - 1)
        known = factor_key(x)
        self.powers[known] = self.powers.get(known, 0) + power
        return True


def term_of(b: Any, x: Operand) -> Term | None:
    """A value as a term of two or more factors."""
    if not isinstance(x, Value):
        return None
    op = made_by(b, x, operator.neg)
    inner = op.args[0] if op else x
    if not isinstance(inner, Value):
        return None
    term = Term(-1 if op else 1, inner)
    found = term.enter(b, inner) and sum(map(abs, term.powers.values())) > 1
    return term if found else None


def collected(b: Any, x: Operand, y: Operand, sign: int) -> Operand | None:
    """The sum (or difference) of two like terms as one term; of the last terms of a sum, too."""
    if (both := whole_and_part(b, x, y, sign)) is not None:
        return both
    term = term_of(b, y) if is_float(x) and is_float(y) else None
    if term is None:
        return None
    if (both := united(b, term_of(b, x), term, sign)) is not None:
        return both
    op = made_by(b, x, operator.add)
    for at in (1, 0) if op is not None and is_ours(op) else ():
        assert op is not None
        both = united(b, term_of(b, op.args[at]), term, sign)
        if both is not None:
            args = (op.args[0], both) if at else (both, op.args[1])
            return b.apply(operator.add, *args)  # type: ignore[no-any-return]
    return None


def whole_and_part(b: Any, x: Operand, y: Operand, sign: int) -> Operand | None:
    """``0.8 * x`` for ``x - 0.2 * x``, and for ``0.2 * x - x`` with the other sign."""
    for one, other in ((x, y), (y, x)):
        op = made_by(b, other, operator.mul)
        k = number(op.args[0]) if op is not None and is_ours(op) else None
        if op is None or k is None or isinstance(k, complex) or op.args[1] is not one:
            continue
        if not is_float(one):
            continue
        total = folded(operator.add, 1, sign * k) if one is x else folded(operator.add, k, sign)
        return b.apply(operator.mul, total, one) if number(total) else None  # type: ignore[no-any-return]
    return None


def united(b: Any, one: Term | None, other: Term, sign: int) -> Operand | None:
    if one is None or one.powers != other.powers:
        return None
    total = one.sign * one.scale + sign * other.sign * other.scale
    if total == 0:  # of infinite terms it is not
        return None
    in_turn = sorted((one, other), key=lambda term: not is_users(b, term.value))
    found = (with_number(b, term, total) for term in in_turn)
    return next((value for value in found if value is not None), None)


def factored(b: Any, x: Operand, y: Operand, fn: Any) -> Operand | None:
    """``(p + q) * d`` for ``p * d + q * d``, two products of ours that nothing else reads."""
    one, two = made_by(b, x, operator.mul), made_by(b, y, operator.mul)
    if one is None or two is None or not (is_passing(one) and is_passing(two)):
        return None
    for at, d in enumerate(one.args):
        if not isinstance(d, Value) or d not in two.args or not is_float(d):
            continue
        p, q = one.args[1 - at], two.args[1 - two.args.index(d)]
        if not is_exact_difference(p, q):
            continue
        k = number(p)
        turned = fn is operator.add and k is not None and k < 0  # q - 2 for -2 + q
        total = b.apply(operator.sub, q, Const(-k)) if turned else b.apply(fn, p, q)
        return b.apply(operator.mul, *((total, d) if at else (d, total)))  # type: ignore[no-any-return]
    return None


def with_number(b: Any, term: Term, number: Any) -> Operand | None:
    """The term with another number, if that stands at its beginning."""
    if term.numbers == 0:
        return b.apply(operator.mul, Const(number), term.value)  # type: ignore[no-any-return]
    return rescaled(b, term.value, lambda _: number) if term.numbers == 1 else None


def is_users(b: Any, x: Value) -> bool:
    """True if the program computes a value anyway."""
    op = b.defs.get(x)
    return op is None or not is_ours(op)


def is_passing(op: Apply) -> bool:
    """True if a product of ours is no adjoint of a name, which others may read."""
    named = op.result.hint is not None or not (op.result.bar or "~").startswith("~")
    return is_ours(op) and not named


def is_float(x: Operand) -> bool:
    return isinstance(type_of(x), (Array, Number)) and kind_of(type_of(x)) == "f"


def rescaled(b: Any, x: Operand, change: Callable[[Any], Any]) -> Operand | None:
    """``6 * y * z`` for ``3 * y * z``, and over a divisor: a product that begins with a number, with another there, if any."""
    op = made_by(b, x, operator.mul) or made_by(b, x, operator.truediv)
    if op is None:
        return None
    value = number(op.args[0]) if op.fn is operator.mul else None
    if value is not None:
        new = change(value)
        return None if new is None else b.apply(operator.mul, Const(new), op.args[1])
    first = rescaled(b, op.args[0], change) if is_passing(op) else None
    return None if first is None else b.apply(op.fn, first, op.args[1])  # type: ignore[no-any-return]
