"""Local algebra of rational expressions: denominators that cancel, and sums of products that expand to less.

    e * (p * (c * p))              ->  c * p * (1 - p)      where p is 1 / (1 + e)
    (a / p - b / q) * p * q        ->  a * q - b * p
    y * r * (1 - p) - (1 - y) * r * p  ->  (y - p) * r
    3 * u ** 2 * (r * (c * r))         ->  3 * r * c / u    where r is 1 / u ** 3

With them the adjoint of a cross entropy of a sigmoid is what it is in a textbook, and divides by nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.types import Array, Number, kind_of, same_shape
from .operands import is_exact_difference, is_literal, is_ours, made_by, number, rank

__all__ = ["cancelled", "expanded", "reciprocal_power", "sigmoid_slope"]

DEEPEST = 4  # products in products
MONOMIALS = 8
Monomial = tuple[Value, ...]  # factors, in the order in which they were met
Polynomial = dict[Monomial, float]


def factors(b: Any, x: Operand, depth: int = DEEPEST) -> list[Operand]:
    """The factors of a product of ours."""
    op = made_by(b, x, operator.mul)
    if op is None or not is_ours(op) or depth == 0:
        return [x]
    return [f for a in op.args for f in factors(b, a, depth - 1)]


def product(b: Any, parts: list[Operand]) -> Operand:
    made = parts[0]
    for part in parts[1:]:
        made = b.apply(operator.mul, made, part)
    return made


def alike(b: Any, x: Operand, y: Operand) -> bool:
    """True if two operands are one value, or the result of the same operation of the same values, entry by entry."""
    if x is y:
        return True
    if isinstance(x, Const) and isinstance(y, Const):
        return type(x.value) in (int, float) and bool(x.value == y.value)
    one, two = (b.defs.get(v) if isinstance(v, Value) else None for v in (x, y))
    if one is None or two is None or one.fn is not two.fn or not (repeats(one) and repeats(two)):
        return False
    pairs = zip(one.args, two.args, strict=False)
    return len(one.args) == len(two.args) and all(alike(b, u, v) for u, v in pairs)


def repeats(op: Apply) -> bool:
    """True if an operation has one result, and gives the same for the same: no draw, nothing that was saved."""
    return len(op.results) == 1 and not op.kwargs and traits_of(op.fn).elementwise is True


def sigmoid_slope(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``e * p`` is ``1 - p`` where ``p`` is ``1 / (1 + e)``."""
    for e, inner in ((x, y), (y, x)):
        if not isinstance(e, Value):
            continue
        parts = factors(b, inner)
        for k, p in enumerate(parts):
            rest = parts[:k] + parts[k + 1 :]
            if rest and is_share(b, p, e):
                less = b.apply(operator.sub, Const(1), p)
                return b.apply(operator.mul, product(b, rest), less)  # type: ignore[no-any-return]
    return None


def is_share(b: Any, p: Operand, e: Operand) -> bool:
    over = made_by(b, p, operator.truediv)
    total = made_by(b, over.args[1], operator.add) if over and is_literal(over.args[0], 1) else None
    if total is None:
        return False
    one, other = total.args
    return (is_literal(one, 1) and other is e) or (is_literal(other, 1) and one is e)


def reciprocal_power(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``c / u`` for ``c * r * u ** (n - 1)`` where ``r`` is ``1 / u ** n``, and for ``c / u ** n * u ** (n - 1)``."""
    parts = [*factors(b, x), *factors(b, y)]
    for k, r in enumerate(parts):
        others = parts[:k] + parts[k + 1 :]
        u, n = reciprocal(b, r)
        rest = without_power(b, others, u, n - 1) if n > 1 else None
        if rest and same_shape(type_of(r), type_of(u)):
            return b.apply(operator.truediv, product(b, rest), u)  # type: ignore[no-any-return]
        if (found := power_over_power(b, r, others)) is not None:
            return found
    return None


def power_over_power(b: Any, r: Operand, others: list[Operand]) -> Operand | None:
    """``c / u ** n`` times ``u ** (n - 1)`` is ``c / u``; times ``u``, for ``n = 1``, it is ``c`` of exponentials.

    Of others it is not: roots and logarithms may be no numbers, and then nor is the derivative.
    """
    over = made_by(b, r, operator.truediv)
    if over is None or not is_ours(over) or rank(over.args[0]) != rank(r):
        return None
    c, (u, n) = over.args[0], power(b, over.args[1])
    if n == 1 and is_exponential(b, u):
        rest = without_power(b, others, u, 1)
        return None if rest is None else product(b, [*rest, c])
    rest = without_power(b, others, u, n - 1) if n > 1 else None
    if rest is None or not same_shape(type_of(r), type_of(c)):
        return None
    return b.apply(operator.truediv, product(b, [*rest, c]), u)  # type: ignore[no-any-return]


def is_exponential(b: Any, u: Operand) -> bool:
    return any(made_by(b, u, exp) is not None for exp in (np.exp, math.exp))


def reciprocal(b: Any, r: Operand) -> tuple[Operand, int]:
    """``u`` and ``n`` of ``1 / u ** n``, or a zero."""
    over = made_by(b, r, operator.truediv)
    if over is None or not is_literal(over.args[0], 1):
        return r, 0
    return power(b, over.args[1])


def power(b: Any, x: Operand) -> tuple[Operand, int]:
    """``u`` and ``n`` of ``u ** n``."""
    op = made_by(b, x, operator.pow)
    n = number(op.args[1]) if op is not None else 1
    return (x, 0) if type(n) is not int else (op.args[0] if op is not None else x, n)


def without_power(b: Any, parts: list[Operand], u: Operand, n: int) -> list[Operand] | None:
    for k, part in enumerate(parts):
        if power(b, part) == (u, n):
            return parts[:k] + parts[k + 1 :]
    return None


def cancelled(b: Any, x: Operand, y: Operand) -> Operand | None:
    """A sum of two quotients times both divisors."""
    parts = [*factors(b, x), *factors(b, y)]
    if len(parts) < 3 or not all(is_real_array(part) for part in parts):
        return None
    for k, part in enumerate(parts):
        op = made_by(b, part, operator.sub) or made_by(b, part, operator.add)
        if op is None or not is_ours(op):
            continue
        first, second = (made_by(b, a, operator.truediv) for a in op.args)
        if first is None or second is None or not (is_ours(first) and is_ours(second)):
            continue
        (u, p), (v, q) = first.args, second.args
        rest = without(b, without(b, parts[:k] + parts[k + 1 :], p), q)
        if rest is None:
            continue
        total = b.apply(op.fn, b.apply(operator.mul, u, q), b.apply(operator.mul, v, p))
        return product(b, [*rest, total])
    return None


def without(b: Any, parts: list[Operand] | None, divisor: Operand) -> list[Operand] | None:
    for k, part in enumerate(parts or ()):
        if alike(b, part, divisor):
            return parts[:k] + parts[k + 1 :]  # type: ignore[index]
    return None


def is_real_array(x: Operand) -> bool:
    kind = type_of(x)
    return isinstance(kind, (Array, Number)) and kind_of(kind) in ("f", "i") and rank(x) is not None


def expanded(b: Any, x: Operand, y: Operand, sign: int) -> Operand | None:
    """A difference of products that is a difference of two values times what they have in common."""
    if not any(has_sum(b, term) for term in (x, y)):
        return None
    one, two = polynomial(b, x), polynomial(b, y)
    if one is None or two is None:
        return None
    total = dict(one)
    for monomial, k in two.items():
        total[monomial] = total.get(monomial, 0) + sign * k
    left = {m: k for m, k in total.items() if k}
    if len(left) != 2 or len(one) + len(two) < 4:
        return None
    return difference(b, left, type_of(x))


def has_sum(b: Any, x: Operand) -> bool:
    """True of a product of ours with a sum or a difference among its factors."""
    op = made_by(b, x, operator.mul)
    inner = factors(b, x) if op is not None and is_ours(op) else []
    return any(made_by(b, f, fn) for f in inner for fn in (operator.add, operator.sub))


def polynomial(b: Any, x: Operand, depth: int = DEEPEST) -> Polynomial | None:
    """Monomials of values, with their numbers; None where they are too many, or no real numbers."""
    if (k := number(x)) is not None:
        return None if isinstance(k, complex) else {(): float(k)}
    if not isinstance(x, Value) or not is_real_array(x):
        return None
    op = b.defs.get(x)
    whole: Polynomial = {(x,): 1.0}
    if depth == 0 or not isinstance(op, Apply) or op.kwargs:
        return whole
    if op.fn is operator.neg:
        inner = polynomial(b, op.args[0], depth - 1)
        return inner and {m: -k for m, k in inner.items()}
    if op.fn not in (operator.add, operator.sub, operator.mul):
        return whole
    one, two = (polynomial(b, a, depth - 1) for a in op.args)
    if one is None or two is None:
        return None
    made = dict(multiplied(one, two)) if op.fn is operator.mul else summed(one, two, op.fn)
    return made if len(made) <= MONOMIALS else whole


def multiplied(one: Polynomial, two: Polynomial) -> Iterator[tuple[Monomial, float]]:
    found: Polynomial = {}
    for m, k in one.items():
        for n, j in two.items():
            both = tuple(sorted((*m, *n), key=id))
            found[both] = found.get(both, 0.0) + k * j
    return iter(found.items())


def summed(one: Polynomial, two: Polynomial, fn: Any) -> Polynomial:
    found = dict(one)
    for m, k in two.items():
        found[m] = fn(found.get(m, 0.0), k)
    return found


def difference(b: Any, left: Polynomial, whole: Any) -> Operand | None:
    """``(u - v) * r`` for ``u r - v r`` in which all else is a number each has once."""
    (m, k), (n, j) = left.items()
    common = list(m)
    for v in m:
        if v not in n:
            common.remove(v)
    one, two = ([f for f in part if f not in common] for part in (m, n))
    if len(one) != 1 or len(two) != 1 or k != -j or abs(k) != 1 or len(m) != len(n):
        return None
    first, second = (one[0], two[0]) if k > 0 else (two[0], one[0])
    if not same_shape(type_of(first), type_of(second)) or not is_exact_difference(first, second):
        return None
    total = b.apply(operator.sub, first, second)
    made = product(b, [total, *common])
    return made if same_shape(type_of(made), whole) else None
