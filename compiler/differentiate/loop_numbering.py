"""The index of an iteration from its number, for loops that are run by number."""

from __future__ import annotations

import operator

from ..ir.operations import Apply, Const, Loop, Op, Operand, Value
from ..ir.types import Number

__all__ = ["is_literal", "numbered"]


def numbered(op: Loop, k: Operand) -> tuple[Operand, list[Op]]:
    """The index of iteration k, and what computes it."""
    assert op.bounds is not None
    lo, _, step = op.bounds
    index: Operand = k
    ops: list[Op] = []
    if not is_literal(step, 1):
        ops.append(Apply([Value(None, Number("i"))], None, operator.mul, (index, step)))
        index = ops[-1].results[0]
    if not is_literal(lo, 0):
        ops.append(Apply([Value(None, Number("i"))], None, operator.add, (lo, index)))
        index = ops[-1].results[0]
    return index, ops


def is_literal(operand: Operand, value: int) -> bool:
    return isinstance(operand, Const) and operand.text is None and operand.value == value
