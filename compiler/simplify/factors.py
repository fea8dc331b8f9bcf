"""Local algebra of numbers among factors: collected in one, before the smallest array.

2 * (3 * y)           ->  6 * y
2 * (0.5 * y * c)     ->  y * c
2 * d * w[:, None]    ->  d * (2 * w)[:, None]
2 * w * lam           ->  2 * lam * w
"""

from __future__ import annotations

import operator
from typing import Any

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Operand, Value
from ..ir.types import kind_of
from .like_terms import is_passing, rescaled
from .operands import folded, has_dtype, is_ours, made_by, number, only_adds_axes, rank

__all__ = ["merge_factors", "number_inside", "numbers_first"]


def merge_factors(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``2 * (3 * y)`` is ``6 * y``; ``c * (1 / n)`` keeps its division."""
    for one, other in ((x, y), (y, x)):
        if number(one) is not None and (found := scaled_part(b, other)):
            part, scaled = found
            factor = folded(operator.mul, number(one), number(scaled.args[0]))
            return b.emit(
                operator.getitem, b.apply(operator.mul, factor, scaled.args[1]), part.args[1]
            )
        op = made_by(b, other, operator.mul) or made_by(b, other, operator.truediv)
        if op is not None and number(one) is not None and (undone := unscaled(b, number(one), op)):
            return undone
        op = made_by(b, other, operator.mul)
        if (n := number(one)) is not None:
            found = rescaled(b, other, lambda k: folded(operator.mul, n, k).value)
            if found is not None:
                return found
            continue
        if op is None or number(op.args[0]) is None:
            continue
        outer = made_by(b, one, operator.mul)
        if outer and number(outer.args[0]) is not None:
            factor = folded(operator.mul, number(outer.args[0]), number(op.args[0]))
            first, second = (outer.args[1], op.args[1]) if one is x else (op.args[1], outer.args[1])
            return b.apply(operator.mul, b.apply(operator.mul, factor, first), second)
    return None


def unscaled(b: Any, factor: Any, op: Apply) -> Operand | None:
    """``y * c`` for ``2 * (p * c)`` where ``p`` is ``0.5 * y``, and for what is divided so."""
    if op.fn is operator.truediv:
        over = made_by(b, op.args[0], operator.mul) if is_ours(op) else None
        undone = unscaled(b, factor, over) if over is not None else None
        return None if undone is None else b.apply(operator.truediv, undone, op.args[1])  # type: ignore[no-any-return]
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


def number_inside(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``d * (2 * w)[:, None]`` for ``2 * d * w[:, None]``: the smaller array is multiplied."""
    for one, other in ((x, y), (y, x)):
        part, scaled = made_by(b, other, operator.getitem), made_by(b, one, operator.mul)
        if part is None or scaled is None or not (is_ours(part) and is_passing(scaled)):
            continue
        k, w, d = number(scaled.args[0]), part.args[0], scaled.args[1]
        if k is None or not only_adds_axes(part.args[1]) or not has_dtype(w, type_of(d)):
            continue
        if (rank(w) or 0) < (rank(d) or 0):
            small = b.apply(
                operator.getitem, b.apply(operator.mul, scaled.args[0], w), part.args[1]
            )
            return b.apply(operator.mul, *((d, small) if one is x else (small, d)))  # type: ignore[no-any-return]
    return None


def numbers_first(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``2 * lam * w`` for ``2 * w * lam``: an array is passed over once, for the product of its numbers."""
    for lam, other in ((x, y), (y, x)):
        scaled = made_by(b, other, operator.mul)
        if scaled is None or not is_passing(scaled) or number(scaled.args[0]) is None:
            continue
        w = scaled.args[1]
        if rank(w) and is_known_number(lam) and has_dtype(w, type_of(w)):
            return b.apply(operator.mul, b.apply(operator.mul, scaled.args[0], lam), w)  # type: ignore[no-any-return]
    return None


def is_known_number(x: Operand) -> bool:
    """True if the program itself has a number under this name: what a derivative makes of numbers is collected elsewhere."""
    theirs = isinstance(x, Value) and not x.made
    return theirs and rank(x) == 0 and kind_of(type_of(x)) == "f"


def scaled_part(b: Any, x: Operand) -> tuple[Apply, Apply] | None:
    """``(3 * y)[index]``: the subscript, and the product in it."""
    part = made_by(b, x, operator.getitem)
    op = made_by(b, part.args[0], operator.mul) if part else None
    return (part, op) if part and op and number(op.args[0]) is not None else None
