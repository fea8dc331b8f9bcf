"""Operations that may raise, sunk into the only branch that reads them.

>>> from tests.before_after import after
>>> after('''
... def f(y, c):
...     power = y ** -0.65
...     if c:
...         x_bar = 0.35 * power
...     else:
...         x_bar = 0.0
...     return x_bar
... ''', "y: float, c: bool", sink, derivative=True)
def f(y, c):
    if c:
        power = y ** -0.65
        x_bar = 0.35 * power
        return x_bar
    return 0.0

The slope of a root is infinite at 0, where Python's division raises although the function itself does not.
On a path where the name is bound to a constant, that slope is not needed.
"""

from __future__ import annotations

import operator

from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Function,
    If,
    Op,
    Value,
    values_in,
    values_read,
    walk,
)

__all__ = ["sink"]

RAISING = (operator.pow, operator.truediv)
ARITHMETIC = (*RAISING, operator.mul, operator.neg)


def sink(function: Function) -> Function:
    """Move, in place, quotients and powers of numbers that one side of a branch reads into it."""
    visit(function.body)
    return function


def visit(block: Block) -> None:
    risky = risky_in(block)
    kept: list[Op] = []
    for at in range(len(block.ops) - 1, -1, -1):
        op = block.ops[at]
        side = only_side(op.results[0], block, kept) if op in risky else None
        if side is not None:
            side.ops.insert(0, op)
        else:
            kept.insert(0, op)
    block.ops = kept
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)


def risky_in(block: Block) -> set[Op]:
    """The operations of a derivative that are on numbers and may raise, and the products made of them."""
    found: set[Op] = set()
    values: set[Value] = set()
    for op in block.ops:
        if not isinstance(op, Apply) or op.effect or op.fn not in ARITHMETIC or not op.result.made:
            continue
        numbers = all(getattr(type_of(v), "dims", None) == () for v in op.args)
        if (numbers and op.fn in RAISING) or not values.isdisjoint(values_in(op.args)):
            found.add(op)
            values.add(op.result)
    return found


def only_side(value: Value, block: Block, later: list[Op]) -> Block | None:
    """The side of a branch, among the later operations, that alone reads a value."""
    if value in values_in(block.yields):
        return None
    readers = [op for op in later if reads(op, value)]
    if len(readers) != 1 or type(readers[0]) is not If or value in values_in(readers[0].cond):
        return None
    sides = [s for s in (readers[0].then, readers[0].orelse) if block_reads(s, value)]
    return sides[0] if len(sides) == 1 else None


def reads(op: Op, value: Value) -> bool:
    return value in values_read(op) or any(block_reads(b, value) for b in op.blocks)


def block_reads(block: Block, value: Value) -> bool:
    inner = [block, *(b for op in walk(block) for b in op.blocks)]
    return any(
        value in values_in(b.yields) or any(value in values_read(o) for o in b.ops) for b in inner
    )
