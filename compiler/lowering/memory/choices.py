"""``w = u if c else u.copy()``, and then ``w[0] = 1``: what ``u`` holds afterwards is known once it is read.

Where two branches leave a name with the memory of one of two arrays, the condition says which.  A write to
one of the three leaves the others *chosen*: they hold what was written, or what they held.  That is
made into a value only where somebody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass

from ...analyses.aliasing.views_and_copies import Cell
from ...analyses.shapes.infer import type_of
from ...ir.lattice import join
from ...ir.operations import (
    Apply,
    Block,
    Const,
    If,
    Operand,
    Value,
    defined_in,
    map_operand,
    values_in,
)
from ..interface.lowerer import Lowerer
from ..nodes import Environment
from .places import Lost, Path, Place, hidden

__all__ = ["Choices", "Chosen"]


@dataclass(frozen=True, eq=False)
class Side:
    """A joined array is this place where the condition is true, or (not ``then``) where it is false."""

    cond: Operand
    then: bool
    cell: Cell
    path: Path


class Chosen(Lost):
    """The content of a memory after a write to another that it may be: ``old``, or what that holds now.

    ``sides`` has the ways on which the two are one memory.  On both, they may show different parts of it.
    """

    def __init__(self, lost: Lost, sides: list[Side], other: Cell, into: bool, old: Value) -> None:
        super().__init__(lost.name, lost.place)
        self.sides, self.other, self.into, self.old = sides, other, into, old


class Choices:
    """The arrays that are one of two, and what is left of others when they are written to."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.sides: dict[Cell, list[Side]] = {}
        self.known: dict[Any, tuple[Value, Block]] = {}
        self.asked: list[Chosen] = []  # what is looked up right now

    def join(self, op: If, result: Cell, ends: list[tuple[bool, Place]]) -> None:
        """The memory of a branch's result is that of what either side gives."""
        self.sides[result] = [
            Side(op.cond, then, p.cell, led_out(op, then, p.path)) for then, p in ends
        ]

    def left(self, written: Cell, near: Cell, lost: Lost) -> Lost:
        """The content of a memory, as far as it is known, when another that it may be was written to."""
        held = self.lowerer.versions.held(near)
        if isinstance(held, Chosen) and held.other is written:
            return held
        sides, into = self.sides_of(written, near), True
        if not sides:
            sides, into = self.sides_of(near, written), False
        if not sides:
            return lost
        old = self.read(near)
        return lost if isinstance(old, Lost) else Chosen(lost, sides, written, into, old)

    def sides_of(self, joined: Cell, cell: Cell) -> list[Side]:
        """The ways on which a joined array is a memory; none unless it is that, or nothing of it, on each.

        Of a branch in a branch that is over, nobody knows the condition any more.
        """
        sides = self.sides.get(joined, []) if self.lowerer.versions.outlives(joined) else []
        others = any(cell in s.cell.near for s in sides if s.cell is not cell)
        return [] if others else [s for s in sides if s.cell is cell]

    # -- reading -------------------------------------------------------------------------

    def read(self, cell: Cell) -> Value | Lost:
        """The content of a memory now; what is chosen is looked up."""
        held: Value | Lost = self.lowerer.versions.held(cell)
        return self.value_of(cell, held) if isinstance(held, Chosen) else held

    def value_of(self, cell: Cell, chosen: Chosen) -> Value | Lost:
        """What is chosen, unless two memories hold what the other one holds: nobody knows it then."""
        if chosen in self.asked:
            return Lost(chosen.name, chosen.place)
        self.asked.append(chosen)
        try:
            now = self.read(chosen.other)
        finally:
            self.asked.pop()
        if isinstance(now, Lost):
            return now
        memo = chosen, now
        known = self.known.get(memo)
        if known is None or known[1] not in self.scope.blocks:
            known = self.known[memo] = self.branch(cell, chosen, now), self.scope.block
        return known[0]

    def branch(self, cell: Cell, chosen: Chosen, now: Value) -> Value:
        """``now`` where the two are one memory, and ``old`` where they are not."""
        loc = self.scope.location(self.scope.node)
        ways = {side.then: side for side in chosen.sides}
        here, there = (self.way(chosen, ways.get(then), now) for then in (True, False))
        kind = join(type_of(here.yields[0]), type_of(there.yields[0]))
        result = Value(cell.first.hint, kind, loc)
        self.lowerer.assumptions.flush()
        self.scope.block.ops.append(If([result], loc, chosen.sides[0].cond, here, there))
        self.lowerer.versions.made_in([result], self.scope.block)
        self.lowerer.versions.stands_for(result, cell)
        return result

    def way(self, chosen: Chosen, side: Side | None, now: Value) -> Block:
        """What a memory holds on one way of the branch that joined the other."""
        block = Block()
        if side is None:
            block.yields.append(chosen.old)
            return block
        self.scope.enter_again(block)
        found = self.written(chosen.old, side, now) if chosen.into else self.seen(side, now)
        block.yields.append(found)
        self.scope.leave()
        return block

    def written(self, old: Value, side: Side, now: Value) -> Value:
        """The memory that the joined array is a part of, once that was written to."""
        if not side.path:
            return now
        made = Value(old.hint, old.type, self.scope.location(self.scope.node))
        self.scope.block.ops.append(Apply([made], made.loc, linear.write, (old, side.path, now)))
        return made

    def seen(self, side: Side, now: Value) -> Value:
        """The part of a memory that the joined array is."""
        part: Any = now
        for fn, *args in side.path:
            part = self.lowerer.operations.apply(fn.value, (part, *args), {})
        return part  # type: ignore[no-any-return]

    def forget(self, gone: set[Value]) -> None:
        """These values were taken back."""
        self.known = {k: v for k, v in self.known.items() if v[0] not in gone}

    # -- the ends of branches and loops ----------------------------------------------------

    def settle_in(self, block: Block, env: Environment, other: Environment) -> None:
        """Look up, at the end of a branch, what cannot be left to those who read it behind that."""
        if any(isinstance(v, Chosen) for v in env.values()):
            outer = self.scope.use(env)
            self.scope.enter_again(block)
            self.at_end(block, other)
            self.scope.leave()
            self.scope.use(outer)

    def at_end(self, block: Block, outer: Environment, carried: Iterable[str] = ()) -> None:
        """The same at the end of the block that is being written; ``carried`` are known by their values."""
        versions, env = self.lowerer.versions, self.scope.env
        for name in [n for n, v in env.items() if hidden(n) and isinstance(v, Chosen)]:
            cell, chosen = versions.cells[name], env[name]
            if not self.outlives(cell, block):
                continue
            before = outer.get(name, cell.first)
            begun = chosen is before or chosen.old is before
            if name in carried or not begun or not self.outlives(chosen.other, block):
                env[name] = self.value_of(cell, chosen)

    def outlives(self, cell: Cell, block: Block) -> bool:
        """True if a memory was made around a block."""
        born = self.lowerer.versions.born.get(cell.first)
        return born is None or (born is not block and born in self.scope.blocks)


def led_out(op: If, then: bool, path: Path) -> Path:
    """A path into an array on one side of a branch, by indices that are known behind it, too."""
    side, other = (op.then, op.orelse) if then else (op.orelse, op.then)
    found = values_in(list(path))
    inside = defined_in(side) if found else set()
    table: dict[Operand, Value] = {}
    for v in dict.fromkeys(found):
        if v in inside:
            table[v] = v.twin()
            op.results.append(table[v])
            side.yields.append(v)
            other.yields.append(Const(None))
    return map_operand(path, lambda v: table.get(v, v))  # type: ignore[no-any-return]
