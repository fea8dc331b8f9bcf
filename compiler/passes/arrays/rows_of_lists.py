"""Arrays made of lists of arrays: of no items, NumPy makes one with fewer dimensions.

>>> import numpy as np
>>> from retrograd.compiler.ir.types import Array, Stack
>>> rows, whole = Value("rows", Stack(Array("float64", (2,), "f"))), Value("c", Array(None, (None, 2), "f"))
>>> f = Function("f", Block([rows], [Apply([whole], None, np.array, (rows,))], [whole]), None)
>>> [op.fn.__name__ for op in check_lists(f).body.ops]
['check_rows', 'array']

Types say how many dimensions it has if there are some.  Where that is not certain, the text asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrograd.runtime.helpers import linear

from ...analyses.shapes.creation import rows_of
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    walk,
)
from ...ir.primitives import BUNDLE

__all__ = ["check_lists"]


def check_lists(function: Function) -> Function:
    """Ask whether such a list has items, in place, where it may have none."""
    if any(unsure_rows(op) for op in walk(function.body)):
        asked = Origins(function)
        for block in blocks_of(function.body):
            block.ops = [new for op in block.ops for new in (*asked.checks(op), op)]
    return function


def unsure_rows(op: Op) -> list[Value]:
    """The lists of arrays that an operation makes an array of."""
    return rows_of(op.fn, op.args, op.results[0].type) if isinstance(op, Apply) else []


def blocks_of(block: Block) -> Iterator[Block]:
    yield block
    for op in block.ops:
        for inner in op.blocks:
            yield from blocks_of(inner)


class Origins:
    """Where values come from."""

    def __init__(self, function: Function) -> None:
        self.made: dict[Value, tuple[Op, int]] = {}
        self.carried: dict[Value, tuple[Op, int]] = {}
        for op in walk(function.body):
            self.made.update({v: (op, k) for k, v in enumerate(op.results)})
            if isinstance(op, Loop):
                self.carried.update({v: (op, k) for k, v in enumerate(op.carried)})

    def checks(self, op: Op) -> list[Op]:
        asked = [v for v in unsure_rows(op) if not self.has_items(v, set())]
        return [Apply([Value(None)], op.loc, linear.check_rows, (v,), effect=True) for v in asked]

    def has_items(self, items: Operand, seen: set[Value]) -> bool:
        """True if a list certainly has items, if those that are ``seen`` have some."""
        if isinstance(items, Const):
            return isinstance(items.value, (list, tuple)) and len(items.value) > 0
        if not isinstance(items, Value):
            return isinstance(items, (list, tuple)) and len(items) > 0
        if items in seen:
            return True
        op, k = self.made.get(items) or self.carried.get(items) or (None, 0)
        seen = seen | {items}
        if isinstance(op, Loop):
            return self.has_some(op, k, seen)
        if isinstance(op, If):
            return all(self.has_items(side.yields[k], seen) for side in (op.then, op.orelse))
        return isinstance(op, Apply) and self.gives_some(op, seen)

    def has_some(self, loop: Loop, k: int, seen: set[Value]) -> bool:
        """Of a list that a loop carries, or collects."""
        if k < len(loop.inits):
            return self.has_items(loop.inits[k], seen) and self.has_items(loop.body.yields[k], seen)
        return not loop.stops and runs(loop)

    def gives_some(self, op: Apply, seen: set[Value]) -> bool:
        if op.fn in (linear.appended, linear.inserted):
            return True
        if op.fn is linear.joined:
            return any(self.has_items(part, seen) for part in op.args)
        kept = op.fn in (BUNDLE, linear.replaced, linear.frozen, linear.thawed, linear.shallow)
        return kept and self.has_items(op.args[0], seen)


def runs(loop: Loop) -> bool:
    """True if a loop has a round, for certain."""
    bounds = loop.bounds or ()
    if not bounds or not all(isinstance(b, Const) and type(b.value) is int for b in bounds):
        return False
    return len(range(*(b.value for b in bounds))) > 0  # type: ignore[union-attr]
