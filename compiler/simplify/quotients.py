"""Local algebra of quotients: divisors that cancel, or by which the function has divided already."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ..analyses.shapes.infer import type_of
from ..ir.operations import Operand, Value
from ..ir.types import same_shape
from .like_terms import rescaled
from .operands import factor_key, folded, is_literal, is_ours, made_by, may_drop, number, rank
from .rules import RECIPROCAL, elementwise, simplifies

__all__ = ["truediv"]


@simplifies(operator.truediv)
def truediv(b: Any, x: Operand, y: Operand) -> Operand | None:
    if is_literal(y, 1) and may_drop(b, x):
        return x
    if op := made_by(b, x, operator.neg):
        return b.apply(operator.neg, b.apply(operator.truediv, op.args[0], y))
    found = over_root(b, x, y) or scaled_quotient(b, x, y) or known_quotient(b, x, y)
    return found or elementwise(b, operator.truediv, x, y)


def known_quotient(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``c * r`` for ``c / y`` where the primal has ``r = 1 / y``; ``c / s`` for ``c / (s / y) / y``."""
    inverse = b.products.get((RECIPROCAL, factor_key(y)))
    if any(made_by(b, y, root) for root in (np.sqrt, math.sqrt)):  # see ``over_root``
        return None
    users = inverse is not None and (inverse.exact or not inverse.made)  # see ``over_quotient``
    if users and isinstance(x, Value) and rank(inverse) is not None:
        return b.apply(operator.mul, x, inverse)  # type: ignore[no-any-return]
    outer = made_by(b, x, operator.truediv)
    inner = made_by(b, outer.args[1], operator.truediv) if outer and is_ours(outer) else None
    if outer is None or inner is None or inner.args[1] is not y:
        return None
    if not same_shape(type_of(outer.args[0]), inner.result.type):
        return None
    return b.apply(operator.truediv, outer.args[0], inner.args[0])  # type: ignore[no-any-return]


def over_root(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``a * (c / s) / (2 * s)`` is ``a * c / (2 * v)`` where ``s`` is the root of ``v``."""
    twice = made_by(b, y, operator.mul)
    if twice is None or number(twice.args[0]) is None:
        return None
    s = twice.args[1]
    root = made_by(b, s, np.sqrt) or made_by(b, s, math.sqrt)
    over = without_divisor(b, x, s) if root else None
    if root is None or over is None:
        return None
    return b.apply(  # type: ignore[no-any-return]
        operator.truediv, over, b.apply(operator.mul, twice.args[0], root.args[0])
    )


def without_divisor(b: Any, x: Operand, s: Operand) -> Operand | None:
    """``c`` for ``c / s``, and ``a * c`` for ``a * (c / s)``, where a derivative divides so."""
    quotient = made_by(b, x, operator.truediv)
    if quotient is not None and quotient.args[1] is s and is_ours(quotient):
        return quotient.args[0]  # type: ignore[no-any-return]
    product = made_by(b, x, operator.mul)
    if product is None or not is_ours(product):
        return None
    for at in (0, 1):
        inner = made_by(b, product.args[at], operator.truediv)
        if inner is not None and inner.args[1] is s and is_ours(inner):
            both = [*product.args]
            both[at] = inner.args[0]
            return b.apply(operator.mul, *(both if number(both[1]) is None else both[::-1]))  # type: ignore[no-any-return]
    return None


def scaled_quotient(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``3 * c / (2 * y)`` is ``1.5 * c / y``, and ``4 * c / 2`` is ``2.0 * c``."""
    under = made_by(b, y, operator.mul)
    m = number(under.args[0] if under is not None else y)
    op = b.defs.get(x) if isinstance(x, Value) else None
    if not m or isinstance(m, complex) or op is None or not is_ours(op):
        return None

    def divided(k: Any) -> Any:
        ratio = None if not k or isinstance(k, complex) else folded(operator.truediv, k, m).value
        short = ratio is not None and len(repr(ratio)) <= len(repr(float(k))) + len(repr(float(m)))
        return ratio if short else None

    over = rescaled(b, x, divided)
    return over if over is None or under is None else b.apply(operator.truediv, over, under.args[1])
