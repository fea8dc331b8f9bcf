"""Compositions with a more accurate derivative than their parts.

``np.log1p(np.exp(x))`` overflows inside for large ``x``: by parts its slope is ``1 / (1 + inf) * inf``.
The slope of the whole is the share of ``exp(x)`` in ``exp(x) + exp(0)``, which never overflows.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..ir.operations import Apply, Const, Operand, Value
from ..ir.types import kind_of
from ..simplify.builder import Builder
from ..simplify.operands import is_literal

__all__ = ["softplus", "softplus_slope"]


def softplus(b: Builder, op: Apply) -> Value | None:
    """The ``x`` of ``log1p(exp(x))`` or ``log(1 + exp(x))``, if ``op`` is that logarithm of reals."""
    kind = kind_of(op.result.type)
    if kind == "c" or (kind is None and b.may_be_complex):
        return None
    if op.fn is np.log1p and not op.kwargs:
        return exponent(b, op.args[0])
    if op.fn is not np.log or op.kwargs:
        return None
    total = made_by(b, op.args[0], (operator.add, np.add))
    if total is None or len(total.args) != 2:
        return None
    one, rest = total.args if isinstance(total.args[0], Const) else total.args[::-1]
    return exponent(b, rest) if is_literal(one, 1) else None


def exponent(b: Builder, x: Operand) -> Value | None:
    op = made_by(b, x, (np.exp,))
    found = op.args[0] if op is not None and not op.kwargs else None
    return found if isinstance(found, Value) else None


def made_by(b: Builder, x: Operand, functions: tuple[Any, ...]) -> Apply | None:
    op = b.defs.get(x) if isinstance(x, Value) else None
    return op if op is not None and op.fn in functions else None


def softplus_slope(b: Builder, x: Operand) -> Operand:
    return b.apply(linear.share, x, Const(0.0))
