"""Local algebra of divisors that do not vary along an axis: the adjoints of shares, norms and standard scores.

    c / t - np.add.reduce(a * (c / t), axis=1, keepdims=True)   ->  (c - np.add.reduce(a * c, axis=1, keepdims=True)) / t
    e * (c / t)                                                 ->  a * c      where the primal has ``a = e / t``

Together they give the adjoint of a softmax as it stands in textbooks: ``a * (c - np.sum(a * c, ...))``.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.types import Array
from .like_terms import is_float
from .operands import factor_key, is_exact_difference, is_ours, made_by, rank

__all__ = ["QUOTIENT", "by_known_quotient", "undivided"]

DEEPEST = 5  # factors in factors
QUOTIENT = "x / y"  # the key of a known quotient among known products


def undivided(b: Any, x: Operand, y: Operand, fn: Any) -> Operand | None:
    """``(c - s) / t`` for ``c / t - s / t``, where the second is a sum of what the first is a factor of."""
    for at, (one, other) in enumerate(((x, y), (y, x))):
        quotient = made_by(b, one, operator.truediv)
        if quotient is None or not is_ours(quotient) or not is_float(one) or not is_float(other):
            continue
        c, t = quotient.args
        if not isinstance(t, Value) or rank(c) != rank(one):
            continue
        rest = without(b, other, quotient, summed=False)
        if rest is not None and is_exact_difference(c, rest):
            pair = (rest, c) if at else (c, rest)
            return b.apply(operator.truediv, b.apply(fn, *pair), t)  # type: ignore[no-any-return]
    return None


def without(
    b: Any, x: Operand, quotient: Apply, summed: bool, depth: int = DEEPEST
) -> Operand | None:
    """``x`` with ``c`` in place of the factor ``c / t``, which is under a sum along an axis where ``t`` is constant."""
    if x is quotient.result:
        return quotient.args[0] if summed else None
    op = b.defs.get(x) if isinstance(x, Value) else None
    if not isinstance(op, Apply) or depth == 0 or not is_ours(op):
        return None
    if op.fn in (operator.mul, operator.truediv, operator.neg) and not op.kwargs:
        for at in range(1 if op.fn is operator.truediv else len(op.args)):
            part = without(b, op.args[at], quotient, summed, depth - 1)
            if part is not None:
                args = [*op.args]
                args[at] = part
                return b.apply(op.fn, *args)  # type: ignore[no-any-return]
        return None
    if op.fn == np.add.reduce and is_constant_along(quotient.args[1], op):
        part = without(b, op.args[0], quotient, True, depth - 1)
        if part is not None:
            return b.apply(op.fn, part, **op.kwargs)  # type: ignore[no-any-return]
    return None


def is_constant_along(t: Operand, op: Apply) -> bool:
    """True if a divisor does not vary along the axis of a sum, and divides its result as it does its terms."""
    if rank(t) == 0:
        return True
    axis, kept = (op.kwargs.get(name) for name in ("axis", "keepdims"))
    kind, whole = type_of(t), type_of(op.args[0])
    known = isinstance(axis, Const) and type(axis.value) is int
    if not known or not (isinstance(kept, Const) and kept.value is True) or len(op.args) != 1:
        return False
    if not isinstance(kind, Array) or kind.dims is None or rank(op.args[0]) is None:
        return False
    assert isinstance(axis, Const) and isinstance(whole, Array) and whole.rank is not None
    at = axis.value if axis.value < 0 else axis.value - whole.rank
    return bool(-at > len(kind.dims) or kind.dims[at] == 1)


def by_known_quotient(b: Any, x: Operand, y: Operand) -> Operand | None:
    """``a * c`` for ``e * (c / t)``, where the primal has ``a = e / t``."""
    for e, inner in ((x, y), (y, x)):
        known = b.products.get((QUOTIENT, factor_key(e))) if isinstance(e, Value) else None
        op = b.defs.get(known) if known is not None else None
        if op is None or rank(known) is None or rank(inner) is None:
            continue
        rest = over(b, inner, op.args[1])
        if rest is not None:
            pair = (known, rest) if e is x else (rest, known)
            return b.apply(operator.mul, *pair)  # type: ignore[no-any-return]
    return None


def over(b: Any, x: Operand, t: Operand, depth: int = DEEPEST) -> Operand | None:
    """``c / n`` for ``c / t / n``, and the like: what is left of a product of ours without a divisor."""
    op = b.defs.get(x) if isinstance(x, Value) else None
    if not isinstance(op, Apply) or op.kwargs or depth == 0 or not is_ours(op):
        return None
    if op.fn is operator.truediv and op.args[1] is t:
        return op.args[0] if rank(op.args[0]) == rank(x) else None
    for at in {operator.truediv: (0,), operator.mul: (0, 1)}.get(op.fn, ()):
        part = over(b, op.args[at], t, depth - 1)
        if part is not None:
            args = [*op.args]
            args[at] = part
            return b.apply(op.fn, *args)  # type: ignore[no-any-return]
    return None
