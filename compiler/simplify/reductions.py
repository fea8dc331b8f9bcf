"""Local algebra of sums: signs, numbers and what else does not vary are cheaper after them.

Importing it enters its rules in the table of `rules`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Operand, Value
from ..ir.types import kind_of
from .choices import size_times
from .determinants import trace
from .like_terms import is_passing
from .operands import has_dtype, made_by, number, rank
from .rules import simplifies

__all__: list[str] = []


@simplifies(np.add.reduce)
def add_reduce(b: Any, c: Operand, **kwargs: Operand) -> Operand | None:
    """A sign or a number is cheaper after the reduction."""
    if (total := size_times(b, c, kwargs)) is not None:
        return total
    if (total := trace(b, c, kwargs)) is not None:
        return total
    if op := made_by(b, c, operator.neg):
        return b.apply(operator.neg, b.apply(np.add.reduce, op.args[0], **kwargs))
    op = made_by(b, c, operator.mul)
    scaled = op is not None and is_passing(op) and type(number(op.args[0])) in (int, float)
    if op is not None and scaled and kind_of(type_of(op.args[1])) == "f":
        total = b.apply(np.add.reduce, op.args[1], **kwargs)
        return b.apply(operator.mul, op.args[0], total)
    if found := without_number(b, c):
        rest, fn, s = found
        total = b.apply(np.add.reduce, rest, **kwargs)
        return b.apply(fn, s, total) if fn is operator.mul else b.apply(fn, total, s)
    return None


def without_number(b: Any, c: Operand, depth: int = 4) -> tuple[Operand, Any, Operand] | None:
    """An array times a number, or over one, taken apart: the number is cheaper after a reduction."""
    op = b.defs.get(c) if isinstance(c, Value) else None
    if not isinstance(op, Apply) or op.fn not in (operator.mul, operator.truediv) or depth == 0:
        return None
    if not is_passing(op) or op.kwargs or not rank(c):
        return None
    for at in (1, 0) if op.fn is operator.mul else (1,):
        if rank(op.args[at]) == 0 and has_dtype(op.args[1 - at], type_of(c)):
            return op.args[1 - at], op.fn, op.args[at]
    for at in (0, 1) if op.fn is operator.mul else (0,):
        inner = b.defs.get(op.args[at]) if isinstance(op.args[at], Value) else None
        if not isinstance(inner, Apply) or not is_passing(inner):
            continue
        if found := without_number(b, op.args[at], depth - 1):
            rest, fn, s = found
            args = [*op.args]
            args[at] = rest
            return b.apply(op.fn, *args), fn, s
    return None
