"""Local algebra: simplifications of an operation, given the facts about its arguments.

``simplify`` is asked for every operation a transformation emits::

    1.0 * y            ->  y
    a + -b             ->  a - b
    rt.unbroadcast(c, x)  ->  c                      where the shapes are known to be equal
    rt.stretch(c, x) * y  ->  c * y                  where y has the shape of x: the ufunc stretches
    rt.matmul_pull_right(c, x, like=w)  ->  x.T @ c  where the ranks are known

The primal program is never rewritten: only derivatives are.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.aliasing.memory_facts import may_repeat
from ..analyses.ranks.rank_sets import unknown_rank
from ..analyses.shapes.infer import type_of
from ..ir.operand_key import key
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.primitives import BUNDLE, Primitive
from ..ir.types import Array, Number, Stack, broadcast, dtype_of, kind_of, same_shape
from .choices import chosen_product, chosen_sum
from .common_divisors import by_known_quotient, undivided
from .factors import merge_factors, number_inside, numbers_first
from .like_terms import collected, factored, is_passing
from .operands import (
    factor_key,
    folded,
    has_dtype,
    is_literal,
    is_ours,
    is_real,
    made_by,
    may_drop,
    number,
    only_adds_axes,
    rank,
)  # fmt: skip
from .rational import cancelled, expanded, reciprocal_power, sigmoid_slope
from .scales import common_scale, times_quotient, turned
from .unknown_shapes import fits, one_sum

__all__ = ["simplify"]

RULES: dict[Any, Callable[..., Operand | None]] = {}
RECIPROCAL = "1 / y"  # the key of a known reciprocal among known products


def simplifies(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(rule: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(functions, rule))
        return rule

    return register


def simplify(
    b: Any, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]
) -> Operand | None:
    """Something simpler that equals ``fn(*args, **kwargs)``, or None."""
    try:
        rule = RULES.get(fn)
    except TypeError:
        return None
    if rule is None:
        return None
    return rule(b, *args, **kwargs)


# -- arithmetic ---------------------------------------------------------------------


@simplifies(operator.neg)
def neg(b: Any, x: Operand) -> Operand | None:
    if (value := number(x)) is not None:
        return Const(-value)
    if op := made_by(b, x, operator.neg):
        return op.args[0]
    if (op := made_by(b, x, operator.sub)) and b.is_adjoint(x) and may_turn(op):
        return b.apply(operator.sub, op.args[1], op.args[0])
    for fn in (operator.mul, operator.truediv):
        op = made_by(b, x, fn)
        if op and number(op.args[0]) is not None:
            return b.apply(fn, Const(-number(op.args[0])), op.args[1])
    if op := made_by(b, x, linear.stretch):
        return b.apply(linear.stretch, b.apply(operator.neg, op.args[0]), op.args[1])
    return None


def may_turn(op: Apply) -> bool:
    """True if ``b - a`` is as good as ``-(a - b)``: not where ``a - b`` is there all the same."""
    return not is_ours(op) or is_passing(op)


@simplifies(np.negative)
def negative(b: Any, x: Operand) -> Operand | None:
    return Const(-number(x)) if type(number(x)) is int else None


@simplifies(operator.add)
def add(b: Any, x: Operand, y: Operand) -> Operand | None:
    if number(x) is not None and number(y) is not None:
        return folded(operator.add, number(x), number(y))
    if is_literal(x, 0) and may_drop(b, y):
        return y
    if is_literal(y, 0) and may_drop(b, x):
        return x
    minus_x, minus_y = negated(b, x), negated(b, y)
    if minus_x is not None and minus_y is not None:
        return b.apply(operator.neg, b.apply(operator.add, minus_x, minus_y))
    if minus_y is not None:
        return b.apply(operator.sub, x, minus_y)
    if minus_x is not None:
        return b.apply(operator.sub, y, minus_x)
    if less := negative_product(b, y):
        return b.apply(operator.sub, x, less)
    if (whole := whole_negated(b, x)) is not None:
        return b.apply(operator.sub, y, whole)
    if twice(b, x, y) and may_drop(b, x):
        return b.apply(operator.mul, Const(2), x)
    if (bare := without_unit(b, x, y)) != (x, y):
        return b.apply(operator.add, *bare)
    found = collected(b, x, y, 1) or common_scale(b, x, y, 1) or chosen_sum(b, x, y)
    found = found or expanded(b, x, y, 1) or one_sum(b, operator.add, x, y)
    found = found or undivided(b, x, y, operator.add) or factored(b, x, y, operator.add)
    return found or elementwise(b, operator.add, x, y)


def negated(b: Any, x: Operand) -> Operand | None:
    """``y`` for ``-y``, and ``y[:, None]`` for ``(-y)[:, None]``."""
    if op := made_by(b, x, operator.neg):
        return op.args[0]  # type: ignore[no-any-return]
    part = made_by(b, x, operator.getitem)
    if part is None or not only_adds_axes(part.args[1]):
        return None
    op = made_by(b, part.args[0], operator.neg)
    return b.emit(operator.getitem, op.args[0], part.args[1]) if op else None


def negative_product(b: Any, x: Operand) -> Operand | None:
    """``2 * y`` for ``-2 * y``."""
    op = made_by(b, x, operator.mul)
    value = number(op.args[0]) if op else None
    if op is None or isinstance(value, complex) or value is None or value >= 0:
        return None
    return b.apply(operator.mul, Const(-value), op.args[1])


def whole_negated(b: Any, x: Operand) -> Operand | None:
    """``1.0 * y`` for ``-1.0 * y``, which stays a product where `y` is of whole numbers."""
    op = made_by(b, x, operator.mul)
    rest = [a for a in op.args if not is_literal(a, -1)] if op else []
    return b.apply(operator.mul, Const(1.0), rest[0]) if len(rest) == 1 else None


def twice(b: Any, x: Operand, y: Operand) -> bool:
    """True if two terms are the same: one value, or a product written both ways round."""
    if isinstance(x, Value) and x is y:
        return True
    p, q = made_by(b, x, operator.mul), made_by(b, y, operator.mul)
    if p is None or q is None:
        return False
    return all(isinstance(a, Value) for a in p.args) and set(p.args) == set(q.args)


@simplifies(operator.sub)
def sub(b: Any, x: Operand, y: Operand) -> Operand | None:
    if number(x) is not None and number(y) is not None:
        return folded(operator.sub, number(x), number(y))
    if is_literal(y, 0) and may_drop(b, x):
        return x
    if is_literal(x, 0) and may_drop(b, y):
        return b.apply(operator.neg, y)
    if (plus := negated(b, y)) is not None:
        return b.apply(operator.add, x, plus)
    if (bare := without_unit(b, x, y)) != (x, y):
        return b.apply(operator.sub, *bare)
    found = collected(b, x, y, -1) or common_scale(b, x, y, -1) or expanded(b, x, y, -1)
    found = found or one_sum(b, operator.sub, x, y) or undivided(b, x, y, operator.sub)
    found = found or factored(b, x, y, operator.sub)
    return found or elementwise(b, operator.sub, x, y)


def without_unit(b: Any, x: Operand, y: Operand) -> tuple[Operand, Operand]:
    """``n`` for ``n * 1.0`` beside a float, which makes a float of a whole number anyhow."""

    def bare(one: Operand, other: Operand) -> Operand:
        op = made_by(b, one, operator.mul)
        if op is None or not is_ours(op) or kind_of(type_of(other)) != "f":
            return one
        units = [is_literal(a, 1) and isinstance(a.value, float) for a in op.args]
        kinds = [kind_of(type_of(a)) for a in op.args]
        rest = [
            a
            for a, unit, kind in zip(op.args, units, kinds, strict=True)
            if not unit and kind == "i"
        ]
        return (
            rest[0]
            if len(rest) == 1 and any(units) and is_made_float(type_of(rest[0]), type_of(other))
            else one
        )

    return bare(x, y), bare(y, x)


def is_made_float(whole: Any, other: Any) -> bool:
    """True if beside ``other`` a whole number becomes the float that it is by itself."""
    return isinstance(whole, Number) or dtype_of(other) == np.dtype(np.float64).name


@simplifies(operator.mul)
def mul(b: Any, x: Operand, y: Operand) -> Operand | None:
    if number(x) is not None and number(y) is not None:
        return folded(operator.mul, number(x), number(y))
    if is_literal(x, 1) and may_drop(b, y):
        return y
    if is_literal(y, 1) and may_drop(b, x):
        return x
    for one, other in ((x, y), (y, x)):
        if is_literal(one, -1) and may_drop(b, other):
            return b.apply(operator.neg, other)
        if op := made_by(b, one, operator.neg):
            args = (op.args[0], other) if one is x else (other, op.args[0])
            return b.apply(operator.neg, b.apply(operator.mul, *args))
    found = chosen_product(b, x, y) or known_product(b, x, y) or by_known_quotient(b, x, y)
    found = found or merge_factors(b, x, y)
    found = found or over_quotient(b, x, y) or over_determinant(b, x, y) or times_quotient(b, x, y)
    found = found or sigmoid_slope(b, x, y) or cancelled(b, x, y) or turned(b, x, y)
    found = found or reciprocal_power(b, x, y) or number_inside(b, x, y)
    found = found or numbers_first(b, x, y)
    return found or elementwise(b, operator.mul, x, y)


def known_product(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``e * (d * c)`` is ``r * c`` where the primal has ``r = d * e``."""
    for e, inner in ((x, y), (y, x)):
        op = made_by(b, inner, operator.mul)
        if op is None or not is_ours(op) or rank(inner) is None:
            continue
        if b.products.get((factor_key(op.args[0]), factor_key(op.args[1]))) is inner:
            continue  # it is there itself: nothing would be saved
        for d, c in (op.args, op.args[::-1]):
            r = b.products.get((factor_key(d), factor_key(e)))
            if r is not None and isinstance(c, Value) and rank(inner) == rank(r):
                return b.apply(operator.mul, r, c)  # type: ignore[no-any-return]
    return None


def over_quotient(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``c * (1.0 / y)`` is ``c / y``, and ``2 * (c / (2 * y))``, too."""
    for one, other in ((x, y), (y, x)):
        op = made_by(b, other, operator.truediv)
        if op is None or not is_ours(op):
            continue
        over, under = op.args
        scaled = made_by(b, under, operator.mul)
        if number(one) is not None and scaled and is_literal(scaled.args[0], number(one)):
            return b.apply(operator.truediv, over, scaled.args[1])  # type: ignore[no-any-return]
        if is_literal(over, 1) and isinstance(one, Value) and rank(one) == rank(other) is not None:
            return b.apply(operator.truediv, one, under)  # type: ignore[no-any-return]
    return None


def over_determinant(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``c * inv(S).T`` for ``cofactor(S) * (c / det(S))`` where the program has the inverse."""
    for one, other in ((x, y), (y, x)):
        cofactor, over = made_by(b, one, linear.cofactor), made_by(b, other, operator.truediv)
        det = made_by(b, over.args[1], np.linalg.det) if over is not None else None
        if cofactor is None or over is None or det is None or det.args[0] is not cofactor.args[0]:
            continue
        inverses = (
            r for r, op in b.defs.items() if isinstance(op, Apply) and op.fn is np.linalg.inv
        )
        for inverse in inverses:
            if b.defs[inverse].args[0] is det.args[0] and rank(inverse) == 2:
                return b.apply(operator.mul, over.args[0], b.apply(np.ndarray.T, inverse))  # type: ignore[no-any-return]
    return None


@simplifies(linear.increase)
def increase(b: Any, x: Operand, path: Any, v: Operand) -> Operand | None:
    """An addition to a part that was just set to zero is an assignment."""
    op = made_by(b, x, linear.write)
    last = path[-1] if path else None
    if op is None or last is None or not is_literal(op.args[2], 0) or key(op.args[1]) != key(path):
        return None
    if last[0].value is operator.getitem and may_repeat(last[1]):
        return None
    return b.emit(linear.write, op.args[0], path, v)


@simplifies(linear.one_if_none)
def one_if_none(b: Any, weights: Operand) -> Operand | None:
    if isinstance(weights, Const) and weights.value is None:
        return Const(1)
    return weights if isinstance(type_of(weights), (Array, Number)) else None


@simplifies(linear.stretch_over)
def stretch_over(b: Any, x: Operand, other: Operand) -> Operand | None:
    return x if isinstance(other, Const) and other.value is None else None


@simplifies(operator.pow, np.power)
def power(b: Any, x: Operand, y: Operand) -> Operand | None:
    if is_literal(y, 1) and may_drop(b, x):
        return x
    return None


@simplifies(linear.in_kind)
def in_kind(b: Any, x: Operand, like: Operand) -> Operand | None:
    real = kind_of(type_of(like)) in ("b", "i", "f")  # of numbers it is unknown: (-1.0) ** 0.5
    return x if real or kind_of(type_of(x)) == "c" else None


@simplifies(linear.one_less)
def one_less(b: Any, y: Operand, x: Operand) -> Operand | None:
    return folded(operator.sub, number(y), 1) if number(y) not in (None, 0) else None


@simplifies(np.conj, np.conjugate, np.real, np.ndarray.conj, np.ndarray.conjugate, np.ndarray.real)
def real_part(b: Any, x: Operand) -> Operand | None:
    return x if is_real(b, x) else None


@simplifies(np.conj, np.conjugate)
def conj(b: Any, x: Operand) -> Operand | None:
    if isinstance(number(x), complex):
        return Const(complex(number(x).real + 0.0, 0.0 - number(x).imag))  # no zero is negative
    if op := made_by(b, x, np.conj):
        return op.args[0]
    return real_part(b, x)


@simplifies(np.trunc, np.floor)
def whole(b: Any, x: Operand) -> Operand | None:
    return x if kind_of(type_of(x)) == "i" else None


@simplifies(linear.thawed)
def thawed(b: Any, items: Operand) -> Operand | None:
    """What is a list, and no tuple, for certain."""
    known = type_of(items)
    return items if isinstance(known, Stack) and not known.fixed else None


@simplifies(operator.getitem)
def getitem(b: Any, x: Operand, key: Operand) -> Operand | None:
    """An item of a container that is written out, or was just put together."""
    op = b.defs.get(x) if isinstance(x, Value) else None
    container = op.args[0] if op is not None and op.fn is BUNDLE else x
    if isinstance(container, (tuple, list)) and isinstance(key, Const) and type(key.value) is int:
        return container[key.value]
    if isinstance(container, (tuple, list)) and isinstance(key, slice):
        parts = [p.value if isinstance(p, Const) else p for p in (key.start, key.stop, key.step)]
        return None if any(isinstance(p, Value) for p in parts) else container[slice(*parts)]
    if isinstance(container, dict) and isinstance(key, Const):
        return container.get(key.value)
    if b.parts and isinstance(x, Value) and isinstance(key, Const) and type(key.value) is int:
        return b.parts.get((x, key.value))
    return None


@simplifies(linear.share)
def share(b: Any, x: Operand, y: Operand) -> Operand | None:
    """The share in a sum with one: of arrays, whose name people know."""
    kind = type_of(x)
    known = isinstance(kind, Array) and bool(kind.dims) and kind.kind == "f"
    return b.emit(linear.sigmoid, x) if known and is_literal(y, 0) else None


@simplifies(math.log)
def log(b: Any, x: Operand) -> Operand | None:
    return Const(1.0) if number(x) == math.e else None


def filled_column(b: Any, x: Operand, y: Operand) -> Operand | None:
    """The number in ``x``, an array filled with one and given axes of length one, if ``y`` has the shape of both."""
    part = made_by(b, x, operator.getitem)
    full = made_by(b, part.args[0], linear.stretch) if part is not None else None
    if part is None or full is None or not (is_ours(part) and only_adds_axes(part.args[1])):
        return None
    kinds = type_of(x), type_of(y)
    covered = all(isinstance(k, Array) for k in kinds) and has_dtype(y, kinds[0])
    whole = covered and same_shape(broadcast(*kinds), kinds[1])
    return full.args[0] if whole and rank(full.args[0]) == 0 else None


def elementwise(b: Any, fn: Any, x: Operand, y: Operand) -> Operand | None:
    """Leave stretching to the ufunc where the other operand has the full shape already."""
    if (k := filled_column(b, x, y)) is not None:
        return b.apply(fn, k, y)
    if (k := filled_column(b, y, x)) is not None:
        return b.apply(fn, x, k)
    left, right = made_by(b, x, linear.stretch), made_by(b, y, linear.stretch)
    equal = same_shape(type_of(x), type_of(y))
    if left and not right and (equal or has_shape_of(b, y, left.args[1])):
        return b.apply(fn, left.args[0], y)
    if right and not left and (equal or has_shape_of(b, x, right.args[1])):
        return b.apply(fn, x, right.args[0])
    if left and rank(y) == 0:
        return b.apply(linear.stretch, b.apply(fn, left.args[0], y), left.args[1])
    if right and rank(x) == 0:
        return b.apply(linear.stretch, b.apply(fn, x, right.args[0]), right.args[1])
    if (
        left
        and right
        and same_shape(type_of(x), type_of(y))
        and same_shape(type_of(left.args[0]), type_of(right.args[0]))
    ):
        return b.apply(linear.stretch, b.apply(fn, left.args[0], right.args[0]), left.args[1])
    return None


def has_shape_of(b: Any, y: Operand, x: Operand) -> bool:
    """True if ``y`` is ``x``, up to signs, factors and functions of each entry."""
    if y is x or (unknown_rank(type_of(x)) and fits(b, x, y)):
        return True
    op = b.defs.get(y) if isinstance(y, Value) else None
    if op is None or op.kwargs or isinstance(op.fn, Primitive):
        return False
    sign = traits_of(op.fn).sign
    if sign in ("+", "-", "*", "/") and number(op.args[0]) is not None:
        return has_shape_of(b, op.args[1], x)
    if sign in ("+", "-", "*", "/", "**") and number(op.args[1]) is not None:
        return has_shape_of(b, op.args[0], x)
    unary = op.fn is operator.neg or (isinstance(op.fn, np.ufunc) and op.fn.nin == 1)
    return unary and has_shape_of(b, op.args[0], x)
