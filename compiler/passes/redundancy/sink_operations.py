"""Operations of a derivative, sunk into the only side of a branch that reads them.

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
        power = y**-0.65
        x_bar = 0.35 * power
        return x_bar
    return 0.0

On the other side nobody needs them, and there they may raise: the slope of a root is infinite at 0, where
Python's division raises although the function itself does not.
"""

from __future__ import annotations

from itertools import accumulate

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.control_flow.branch_sides import Side, read_by_one_side
from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Call, Function, Op, walk
from ...ir.primitives import Primitive

__all__ = ["sink"]


def sink(function: Function) -> Function:
    """Move, in place, what a derivative computes for one side of a branch into it."""
    for block in [function.body, *(b for op in walk(function.body) for b in op.blocks)]:
        sides = read_by_one_side(block, joins=Movable(block))
        sunk: dict[Side, list[Op]] = {}
        for op in block.ops:
            if op in sides:
                sunk.setdefault(sides[op], []).append(op)
        for (branch, k), ops in sunk.items():
            branch.blocks[k].ops[:0] = ops
        if sunk:
            block.ops = [op for op in block.ops if op not in sides]
    return function


class Movable:
    """Which operations of a region may stand in a branch after them, as well."""

    def __init__(self, block: Block) -> None:
        self.at = {op: k for k, op in enumerate(block.ops)}
        self.writes = list(accumulate((writes(op) for op in block.ops), initial=0))

    def __call__(self, op: Op, side: Side) -> bool:
        if not isinstance(op, Apply) or op.effect or isinstance(op.fn, Primitive) or writes(op):
            return False
        if op.loc is not None and not all(r.made for r in op.results):
            return False  # the user's own
        numbers = all(getattr(type_of(v), "dims", None) == () for v in [*op.args, *op.results])
        return numbers or self.writes[self.at[op]] == self.writes[self.at[side[0]]]


def writes(op: Op) -> bool:
    """True if memory may hold something else after an operation."""
    if isinstance(op, Apply):
        return op.effect or traits_of(op.fn).writes is not None
    return isinstance(op, Call) or any(writes(o) for inner in op.blocks for o in inner.ops)
