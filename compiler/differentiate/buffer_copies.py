"""Second order: copies of buffers whose old content is read backwards.

::

    product = ratio * x_bar                product = ratio * x_bar
    x_bar[0] += part               ->      x_bar_2 = rt.copy(x_bar)
                                           x_bar_2[0] += part
    ratio_bar = product_bar * x_bar        ratio_bar = product_bar * x_bar

Only a program that was derived itself has buffers.  A buffer that is read for its shape only is
copied as well: what reads it so takes as long as the copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from retrograd.runtime.helpers import linear

from ..analyses.aliasing.buffers import buffers_of
from ..analyses.aliasing.memory_facts import adds_to_first
from ..analyses.aliasing.views_and_copies import relation
from ..analyses.shapes.infer import type_of
from ..ir.operations import (
    Apply,
    Block,
    If,
    Location,
    Loop,
    Op,
    Operand,
    Value,
    read_in,
    values_in,
    walk,
)

__all__ = ["preserve"]


def preserve(forward: Block, backward: Block) -> None:
    """Copy, in place, what ``forward`` adds to and ``backward`` reads as it was before."""
    buffers = buffers_of(forward)
    if buffers:
        Preservation(forward, read_in(backward), buffers).visit(forward)


class Preservation:
    """``held``: the values in whose memory stands something that is read later."""

    def __init__(self, body: Block, read: list[Value], buffers: set[Value]) -> None:
        self.buffers = buffers
        self.defs = {r: op for op in walk(body) for r in op.results}
        self.loops = {p: op for op in walk(body) if isinstance(op, Loop) for p in op.body.params}
        self.held = self.reached(read, inits=True)

    def visit(self, block: Block) -> None:
        ops: list[Op] = []
        for op in block.ops:
            if adds_to_first(op) and self.holds(op.args[0]):
                op.args = (copied(op.args[0], ops, op.loc), *op.args[1:])
            elif isinstance(op, Loop):
                op.inits = [
                    copied(init, ops, op.loc) if p in self.buffers and self.holds(init) else init
                    for init, p in zip(op.inits, op.carried, strict=True)
                ]
            for inner in op.blocks:
                self.visit(inner)
            ops.append(op)
        block.ops = ops

    def holds(self, buffer: Operand) -> bool:
        return not self.held.isdisjoint(self.reached(values_in(buffer), inits=False))

    def reached(self, values: Iterable[Value], inits: bool) -> set[Value]:
        """The values that these may share memory with: views, and what is joined or carried."""
        found: set[Value] = set()
        pending = list(values)
        while pending:
            v = pending.pop()
            if v not in found:
                found.add(v)
                pending += self.sources(v, inits)
        return found

    def sources(self, v: Value, inits: bool) -> Iterator[Value]:
        """Values that ``v`` may be, or be a view of; ``inits``: also those a loop starts with."""
        if v in self.loops:
            yield from self.carried(self.loops[v], v, inits)
        op = self.defs.get(v)
        if isinstance(op, Apply) and not adds_to_first(op):
            yield from relation(op)[1]
        elif isinstance(op, If):
            k = op.results.index(v)
            yield from values_in([op.then.yields[k], op.orelse.yields[k]])
        elif isinstance(op, Loop) and v is not op.count:
            k = op.results.index(v)
            yield from values_in([op.body.yields[k], *op.inits[k : k + 1]])

    def carried(self, op: Loop, param: Value, inits: bool) -> Iterator[Value]:
        if param in op.carried:
            k = op.carried.index(param)
            yield from values_in([op.body.yields[k], *([op.inits[k]] if inits else [])])
        elif param in op.elements:
            yield from values_in(op.feeds[op.elements.index(param)][0])


def copied(buffer: Any, ops: list[Op], loc: Location | None) -> Value:
    """A copy of ``buffer``, made by the operation that ``ops`` grows by."""
    copy = Value(None, type_of(buffer), loc)
    copy.hint, copy.bar, copy.soft, copy.made = buffer.hint, buffer.bar, buffer.soft, True
    ops.append(Apply([copy], loc, linear.copy, (buffer,)))
    return copy
