"""What one side of a branch alone reads, of the operations before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir.operations import Block, If, Op, Value, operands_of, values_in, values_read

__all__ = ["Side", "read_by_one_side"]

Side = tuple[If, int]  # a branch, and which of its regions


def read_by_one_side(
    block: Block,
    counts: Callable[[Value], bool] = lambda value: True,
    joins: Callable[[Op, Side], bool] = lambda op, side: True,
) -> dict[Op, Side]:
    """The operations of a region whose results one side of one of its branches alone reads, last first.

    ``counts``: which values matter; ``joins``: whether an operation may stand in the side that reads it.
    """
    if not any(type(op) is If for op in block.ops):
        return {}
    return Readers(block, counts, joins).sides


class Readers:
    """Who reads what: the operations are gone through from the last to the first."""

    def __init__(
        self, block: Block, counts: Callable[[Value], bool], joins: Callable[[Op, Side], bool]
    ) -> None:
        self.counts, self.joins = counts, joins
        self.sides: dict[Op, Side] = {}
        self.readers: dict[Value, Side | None] = {}  # None: the region itself
        self.read(values_in(block.yields), None)
        for op in reversed(block.ops):
            self.place(op)

    def place(self, op: Op) -> None:
        side = self.common([self.readers[r] for r in op.results if r in self.readers])
        if side is not None and not self.joins(op, side):
            side = None
        if side is not None:
            self.sides[op] = side
        if op.blocks or any(map(self.counts, op.results)):
            self.read(values_read(op), side)
        for k, inner in enumerate(op.blocks):
            self.enter(inner, (op, k) if type(op) is If else side)

    def enter(self, block: Block, side: Side | None) -> None:
        self.read(values_in(block.yields), side)
        for op in block.ops:
            self.read(values_in(operands_of(op)), side)
            for inner in op.blocks:
                self.enter(inner, side)

    def read(self, values: Iterable[Value], side: Side | None) -> None:
        for value in filter(self.counts, values):
            known = value in self.readers
            self.readers[value] = self.common([self.readers[value], side]) if known else side

    def common(self, sides: list[Side | None]) -> Side | None:
        """The innermost side that all of these are, or stand in."""
        ways = [self.way(side) for side in sides]
        return next((s for s in ways[0] if all(s in way for way in ways)), None) if ways else None

    def way(self, side: Side | None) -> list[Side]:
        """A side, the one that its branch stands in, and so on outwards."""
        found = []
        while side is not None:
            found.append(side)
            side = self.sides.get(side[0])
        return found
