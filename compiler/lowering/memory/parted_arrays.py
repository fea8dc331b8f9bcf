"""``if np.may_share_memory(a, b): a = a.copy()``: what a test says about memory is known on either side of it.

A fact is a pair of memories that are certainly two, in a block, from where a test tells it on.  It is about
arrays and not about names: what `a` is from then on has a memory of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...analyses.aliasing.views_and_copies import Cell
from ...ir.operations import Apply, Block, Value
from ..interface.lowerer import Lowerer

__all__ = ["Parted"]

Pair = frozenset[Cell]


class Parted:
    """The pairs of memories that tests have told apart, and where."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.asked: dict[Value, Apply] = {}
        self.known: dict[Block, set[Pair]] = {}

    def note(self, op: Apply) -> None:
        """An operation that may ask about memory, or turn the answer round."""
        asks = op.fn is np.may_share_memory or op.fn is np.shares_memory
        if asks or op.fn is operator.not_:
            self.asked[op.result] = op

    def are_two(self, a: Cell, b: Cell, end: Block | None = None) -> bool:
        """True if a test has told two memories apart, here or by the end of a block."""
        pair, blocks = frozenset((a, b)), [b for b in (*self.scope.blocks, end) if b in self.known]
        return any(pair in self.known[block] for block in blocks)

    def near(self, cell: Cell, end: Block | None = None) -> set[Cell]:
        """The memories that may be this one, here or at the end of a block."""
        return {c for c in cell.near if not self.are_two(cell, c, end)} if self.known else cell.near

    def may_share(self, a: Value, b: Value) -> bool:
        """True if two values may be one memory, here."""
        memory = self.lowerer.versions.memory
        return memory.may_share(a, b) and not self.are_two(memory.of(a), memory.of(b))

    # -- branches --------------------------------------------------------------------

    def assume(self, block: Block, test: Any, true: bool) -> None:
        """A block runs where a test is true, or where it is false."""
        self.keep(block, set(self.told(test, true)))

    def after(self, *sides: Block) -> None:
        """What all the sides that go on agree on is known behind them."""
        self.keep(self.scope.block, set.intersection(*(self.known.get(s, set()) for s in sides)))

    def keep(self, block: Block, pairs: set[Pair]) -> None:
        if pairs:
            self.known.setdefault(block, set()).update(pairs)

    def told(self, test: Any, true: bool) -> Iterator[Pair]:
        """The memories that are two where a test is true, or where it is false."""
        op = self.asked.get(test)
        if op is None:
            yield from self.told_by_parts(test, true)
        elif op.fn is operator.not_:
            yield from self.told(op.args[0], not true)
        elif not true:
            yield from self.whole_arrays(op)

    def told_by_parts(self, test: Any, true: bool) -> Iterator[Pair]:
        """``p and q`` is true where both are, and ``p or q`` false where both are."""
        first, *others = self.scope.program.known.chosen_from.get(test, (None,))
        if len(others) == 2 and others[true] is first:
            yield from self.told(first, true)
            yield from self.told(others[not true], true)

    def whole_arrays(self, op: Apply) -> Iterator[Pair]:
        """The memories that a question is about; a part of an array says nothing of the rest."""
        places = [self.lowerer.versions.places.get(v) for v in op.args[:2] if isinstance(v, Value)]
        cells = frozenset(p.cell for p in places if p is not None and not p.path)
        if len(cells) == 2:
            yield cells
