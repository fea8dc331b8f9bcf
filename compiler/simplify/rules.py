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
from functools import partial
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.aliasing.memory_facts import may_repeat
from ..analyses.shapes.infer import type_of
from ..ir.operand_key import key
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.primitives import BUNDLE, Primitive
from ..ir.types import Array, Number, Stack, kind_of, same_shape
from .like_terms import collected, is_passing, rescaled
from .operands import (
    factor_key,
    is_literal,
    is_ours,
    is_real,
    made_by,
    may_drop,
    number,
    rank,
)

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
        return Const(number(x) + number(y))
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
    if twice(b, x, y) and may_drop(b, x):
        return b.apply(operator.mul, Const(2), x)
    return collected(b, x, y, 1) or elementwise(b, operator.add, x, y)


def negated(b: Any, x: Operand) -> Operand | None:
    """``y`` for ``-y``, and ``y[:, None]`` for ``(-y)[:, None]``."""
    if op := made_by(b, x, operator.neg):
        return op.args[0]  # type: ignore[no-any-return]
    part = made_by(b, x, operator.getitem)
    if part is None or not only_adds_axes(part.args[1]):
        return None
    op = made_by(b, part.args[0], operator.neg)
    return b.emit(operator.getitem, op.args[0], part.args[1]) if op else None


def only_adds_axes(key: Operand) -> bool:
    """True if a subscript is made of ``:`` and ``None``."""
    parts = key if isinstance(key, tuple) else (key,)
    bounds = [(p.start, p.stop, p.step) if isinstance(p, slice) else (p,) for p in parts]
    return all(p is None or (isinstance(p, Const) and p.value is None) for b in bounds for p in b)


def negative_product(b: Any, x: Operand) -> Operand | None:
    """``2 * y`` for ``-2 * y``."""
    op = made_by(b, x, operator.mul)
    value = number(op.args[0]) if op else None
    if op is None or isinstance(value, complex) or value is None or value >= 0:
        return None
    return b.apply(operator.mul, Const(-value), op.args[1])


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
        return Const(number(x) - number(y))
    if is_literal(y, 0) and may_drop(b, x):
        return x
    if is_literal(x, 0) and may_drop(b, y):
        return b.apply(operator.neg, y)
    if (plus := negated(b, y)) is not None:
        return b.apply(operator.add, x, plus)
    return collected(b, x, y, -1) or elementwise(b, operator.sub, x, y)


@simplifies(operator.mul)
def mul(b: Any, x: Operand, y: Operand) -> Operand | None:
    if number(x) is not None and number(y) is not None:
        return Const(number(x) * number(y))
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
    found = known_product(b, x, y) or merge_factors(b, x, y) or over_quotient(b, x, y)
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


def merge_factors(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``2 * (3 * y)`` is ``6 * y``; ``c * (1 / n)`` keeps its division."""
    for one, other in ((x, y), (y, x)):
        if number(one) is not None and (found := scaled_part(b, other)):
            part, scaled = found
            factor = Const(number(one) * number(scaled.args[0]))
            return b.emit(
                operator.getitem, b.apply(operator.mul, factor, scaled.args[1]), part.args[1]
            )
        op = made_by(b, other, operator.mul)
        if op is not None and number(one) is not None and (undone := unscaled(b, number(one), op)):
            return undone
        if (n := number(one)) is not None:
            found = rescaled(b, other, partial(operator.mul, n))
            if found is not None:
                return found
            continue
        if op is None or number(op.args[0]) is None:
            continue
        outer = made_by(b, one, operator.mul)
        if outer and number(outer.args[0]) is not None:
            factor = Const(number(outer.args[0]) * number(op.args[0]))
            first, second = (outer.args[1], op.args[1]) if one is x else (op.args[1], outer.args[1])
            return b.apply(operator.mul, b.apply(operator.mul, factor, first), second)
    return None


def unscaled(b: Any, factor: Any, op: Apply) -> Operand | None:
    """``y * c`` for ``2 * (p * c)`` where ``p`` is ``0.5 * y``."""
    for at in (0, 1) if is_ours(op) else ():
        inner = made_by(b, op.args[at], operator.mul)
        scale = number(inner.args[0]) if inner else None
        if inner is None or scale is None or isinstance(factor * scale, complex):
            continue
        if factor * scale not in (1, -1):
            continue
        both = [*op.args]
        both[at] = inner.args[1]
        product = b.apply(operator.mul, *both)
        return product if factor * scale == 1 else b.apply(operator.neg, product)
    return None


def scaled_part(b: Any, x: Operand) -> tuple[Apply, Apply] | None:
    """``(3 * y)[index]``: the subscript, and the product in it."""
    part = made_by(b, x, operator.getitem)
    op = made_by(b, part.args[0], operator.mul) if part else None
    return (part, op) if part and op and number(op.args[0]) is not None else None


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


@simplifies(np.add.reduce)
def add_reduce(b: Any, c: Operand, **kwargs: Operand) -> Operand | None:
    """A sign or a number is cheaper after the reduction."""
    if op := made_by(b, c, operator.neg):
        return b.apply(operator.neg, b.apply(np.add.reduce, op.args[0], **kwargs))
    op = made_by(b, c, operator.mul)
    scaled = op is not None and is_ours(op) and type(number(op.args[0])) in (int, float)
    if op is not None and scaled and kind_of(type_of(op.args[1])) == "f":
        total = b.apply(np.add.reduce, op.args[1], **kwargs)
        return b.apply(operator.mul, op.args[0], total)
    return None


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
    return Const(number(y) - 1) if number(y) not in (None, 0) else None


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


@simplifies(math.log)
def log(b: Any, x: Operand) -> Operand | None:
    return Const(1.0) if number(x) == math.e else None


def elementwise(b: Any, fn: Any, x: Operand, y: Operand) -> Operand | None:
    """Leave stretching to the ufunc where the other operand has the full shape already."""
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
    if y is x:
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
