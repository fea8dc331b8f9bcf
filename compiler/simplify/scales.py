"""Local algebra of numbers among factors: those that cancel, and those that two terms have in common.

2.0 * v * (c / (2.0 * s) / n)              ->  v * (c / s / n)
y * (-1.0 / n) + e * (1.0 / n)             ->  (e - y) * (1.0 / n)
"""

from __future__ import annotations

import operator
from typing import Any

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import same_shape
from .like_terms import is_passing
from .operands import factor_key, is_exact_difference, is_literal, is_ours, made_by, number, rank

__all__ = ["common_scale", "times_quotient", "turned"]


def times_quotient(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``v * (c / s / n)`` for ``2 * v * (c / (2 * s) / n)``."""
    for one, other in ((x, y), (y, x)):
        scaled = made_by(b, one, operator.mul)
        n = number(scaled.args[0]) if scaled is not None and is_ours(scaled) else None
        if scaled is None or n is None or n in (0, 1) or isinstance(n, complex):
            continue
        rest = without_scale(b, other, n)
        if rest is not None:
            args = (scaled.args[1], rest) if one is x else (rest, scaled.args[1])
            return b.apply(operator.mul, *args)  # type: ignore[no-any-return]
    return None


def without_scale(b: Any, x: Operand, n: float) -> Operand | None:
    """``c / s`` for ``c / (n * s)``, at the bottom of quotients of a derivative."""
    op = made_by(b, x, operator.truediv)
    if op is None or not is_ours(op):
        return None
    over, under = op.args
    scaled = made_by(b, under, operator.mul)
    if scaled is not None and is_literal(scaled.args[0], n):
        return b.apply(operator.truediv, over, scaled.args[1])  # type: ignore[no-any-return]
    rest = without_scale(b, over, n)
    return None if rest is None else b.apply(operator.truediv, rest, under)


def common_scale(b: Any, x: Operand, y: Operand, sign: int) -> Operand | None:
    """``(p + q) * (1 / n)`` for ``p * (1 / n) + q * (1 / n)``, where ``n`` is a number and the others are arrays."""
    one, two = scale_of(b, x), scale_of(b, y)
    if one is None or two is None or factor_key(one[2]) != factor_key(two[2]):
        return None
    (p, c, n), (q, d, _) = one, two
    if abs(c) != abs(d) or not same_shape(type_of(p), type_of(q)) or not is_exact_difference(p, q):
        return None
    turned = sign if c == d else -sign
    if turned < 0 and c < 0:  # -p / n + q / n
        p, q, c = q, p, d * sign
    total = b.apply(operator.add if turned > 0 else operator.sub, p, q)
    return b.apply(operator.mul, total, b.apply(operator.truediv, Const(c), n))  # type: ignore[no-any-return]


def scale_of(b: Any, x: Operand) -> tuple[Operand, float, Operand] | None:
    """``p``, ``c`` and ``n`` of ``p * (c / n)``, an array times a number."""
    op = made_by(b, x, operator.mul)
    if op is None or not is_ours(op):
        return None
    for p, k in (op.args, op.args[::-1]):
        over = made_by(b, k, operator.truediv)
        c = number(over.args[0]) if over is not None and is_ours(over) else None
        if over is not None and c and not isinstance(c, complex) and rank(k) == 0 and rank(p):
            return p, c, over.args[1]
    return None


def turned(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``(q - p) * (1 / n)`` for ``(p - q) * (-1 / n)``."""
    for one, other in ((x, y), (y, x)):
        less, over = made_by(b, one, operator.sub), made_by(b, other, operator.truediv)
        if less is None or over is None or not (is_passing(less) and is_passing(over)):
            continue
        c = number(over.args[0])
        if c is None or isinstance(c, complex) or c >= 0 or rank(other) != 0:
            continue
        opposite = b.apply(operator.sub, less.args[1], less.args[0])
        return b.apply(  # type: ignore[no-any-return]
            operator.mul, opposite, b.apply(operator.truediv, Const(-c), over.args[1])
        )
    return None
