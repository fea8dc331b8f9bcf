"""Shapes that nobody knows, compared: of which values an operand has the common shape.

``exp(z)`` has the shape of ``z``, ``y * exp(z)`` that to which ``y`` and ``z`` broadcast.  So what is undone of
broadcasting may turn out to be nothing, or one step where there were two, though no rank is known.
"""

from __future__ import annotations

import operator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.ranks.rank_sets import unknown_rank
from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.primitives import Primitive
from ..ir.size_names import has_known_shape
from ..ir.types import Array, Number, kind_of
from .operands import is_ours, made_by

__all__ = ["Shape", "fits", "one_sum", "shape_of", "undone"]

Shape = frozenset[Any]
NUMBER: Shape = frozenset()
LIKE = {
    linear.unbroadcast: 1,
    linear.stretch: 1,
    linear.unreduce: 1,
    linear.zeros_like: 0,
    linear.copy: 0,
}
FACTORS: tuple[tuple[Any, tuple[int, ...]], ...] = (
    (operator.mul, (1, 0)),
    (operator.truediv, (0,)),
)
IN_PLACE = (operator.iadd, operator.isub, operator.imul)


def shape_of(b: Any, x: Operand) -> Shape | None:
    """The values to whose common shape an operand has been broadcast; None if it is no array."""
    if isinstance(x, Const):
        return NUMBER if isinstance(x.value, (bool, int, float, complex)) else None
    if not isinstance(x, Value):
        return None
    if x not in b.shapes:
        b.shapes[x] = frozenset([x])  # of what is computed from itself
        b.shapes[x] = shape_of_value(b, x)
    return b.shapes[x]  # type: ignore[no-any-return]


def shape_of_value(b: Any, x: Value) -> Shape:
    kind, op = x.type, b.defs.get(x)
    if isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ()):
        return NUMBER
    if isinstance(kind, Array) and has_known_shape(kind):
        return frozenset([kind.dims])
    if not isinstance(op, Apply) or isinstance(op.fn, Primitive) or len(op.results) != 1:
        return frozenset([x])
    if op.fn in LIKE:
        return shape_of(b, op.args[LIKE[op.fn]]) or frozenset([x])
    if traits_of(op.fn).elementwise is not True or op.kwargs or op.fn in IN_PLACE:
        return frozenset([x])
    parts = [shape_of(b, a) for a in op.args]
    return frozenset([x]) if None in parts else NUMBER.union(*parts)  # type: ignore[arg-type]


def fits(b: Any, x: Operand, to: Operand) -> bool:
    """True if an operand broadcasts to the shape of another, and does not stretch that."""
    inner, outer = shape_of(b, x), shape_of(b, to)
    return inner is not None and outer is not None and inner <= outer


def undone(b: Any, c: Operand, like: Operand) -> Operand | None:
    """``rt.unbroadcast(c, like)`` where the shape of one of them is not known; None if nothing is simpler."""
    whole, part = shape_of(b, c), shape_of(b, like)
    if whole is None or part is None or b.may_be_complex:
        return None
    if op := made_by(b, c, linear.unbroadcast):
        return (
            b.apply(linear.unbroadcast, op.args[0], like)
            if part <= (shape_of(b, op.args[1]) or NUMBER)
            else None
        )  # type: ignore[no-any-return]
    if whole == part and kind_of(type_of(c)) != "c":
        return c
    if op := made_by(b, c, operator.neg):  # a sign is cheaper after the sum
        return b.apply(operator.neg, b.apply(linear.unbroadcast, op.args[0], like))  # type: ignore[no-any-return]
    for fn, places in FACTORS:
        op = made_by(b, c, fn)
        for at in places if op else ():
            both = list(op.args) if op else []
            inner = made_by(b, both[at], linear.unbroadcast)
            if inner is None or not fits(b, both[1 - at], inner.args[1]):
                continue
            if fits(b, like, inner.args[1]):
                both[at] = inner.args[0]
                return b.apply(linear.unbroadcast, b.apply(fn, *both), like)  # type: ignore[no-any-return]
    return None


def one_sum(b: Any, fn: Any, x: Operand, y: Operand) -> Operand | None:
    """``rt.unbroadcast(p + q, z)`` for a sum of two that are undone alike; of stretched ones, the same."""
    for helper in () if b.may_be_complex else (linear.unbroadcast, linear.stretch):
        first, second = taken_out(b, x, helper), taken_out(b, y, helper)
        if first is None or second is None:
            continue
        (p, z), (q, other) = first, second
        if shape_of(b, z) != shape_of(b, other):
            continue
        if helper is linear.stretch:
            total = b.apply(fn, p, q)
            return total if fits(b, z, total) else b.apply(linear.stretch, total, z)  # type: ignore[no-any-return]
        if shape_of(b, p) == shape_of(b, q):
            like = z if shape_of(b, z) == frozenset([z]) else other
            return b.apply(linear.unbroadcast, b.apply(fn, p, q), like)  # type: ignore[no-any-return]
    return None


def taken_out(b: Any, x: Operand, helper: Any) -> tuple[Operand, Operand] | None:
    """What is undone in a term, and like what: of ``y * rt.unbroadcast(c, z)`` the product."""
    if op := made_by(b, x, helper):
        return op.args if unknown_rank(type_of(op.args[1])) else None  # type: ignore[return-value]
    if op := made_by(b, x, operator.neg):
        found = taken_out(b, op.args[0], helper)
        return (b.apply(operator.neg, found[0]), found[1]) if found else None
    for fn, places in FACTORS:
        op = made_by(b, x, fn)
        for at in places if op and is_ours(op) else ():
            found = taken_out(b, op.args[at], helper)  # type: ignore[union-attr]
            if found and fits(b, op.args[1 - at], found[1]):  # type: ignore[union-attr]
                both = list(op.args)  # type: ignore[union-attr]
                both[at] = found[0]
                return b.apply(fn, *both), found[1]
    return None
