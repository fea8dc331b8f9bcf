"""The order of events in a function: when each value is made, read and overwritten."""

from __future__ import annotations

from collections.abc import Iterator

from retrograd.runtime.records import dataclass, field

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
)
from ...ir.primitives import SET_CONTENT, WRITTEN, Store
from .may_alias import base_of
from .memory_facts import is_version

__all__ = [
    "Path",
    "Read",
    "Timeline",
    "Write",
    "exclusive",
    "fed_by",
    "has_writes",
    "is_store",
    "read_by",
    "written",
]

Path = tuple[tuple[Op, Block], ...]  # the regions around a point, outermost first


@dataclass(eq=False)
class Read:
    """One use of a value: by an operation, or (``op`` None) as a yield of ``block``."""

    value: Value
    clock: int
    path: Path
    block: Block
    op: Op | None


@dataclass(eq=False)
class Write:
    """One write: the operation, and the value whose memory it changes (None: the caller's turn)."""

    op: Op | None
    base: Value
    clock: int
    path: Path


@dataclass
class Timeline:
    """When each value is made, read and written over."""

    clock: int = 0
    made: dict[Value, tuple[int, Path]] = field(default_factory=dict)
    place: dict[Value, tuple[Block, Op | None]] = field(default_factory=dict)
    reads: dict[Value, list[Read]] = field(default_factory=dict)
    writes: list[Write] = field(default_factory=list)
    ends: dict[Op, int] = field(default_factory=dict)

    def run(self, function: Function) -> Timeline:
        self.define(function.body.params, (), function.body, None)
        self.block(function.body, ())
        for k, _ in function.facts.writes:
            self.clock += 1  # the caller may write again
            self.writes.append(Write(None, function.body.params[k], self.clock, ()))
        self.yields(function.body, ())
        return self

    def define(self, values: list[Value], path: Path, block: Block, op: Op | None) -> None:
        for v in values:
            self.made[v] = (self.clock, path)
            self.place[v] = (block, op)

    def block(self, block: Block, path: Path) -> None:
        for op in block.ops:
            self.clock += 1
            for v in values_in(read_by(op)):
                self.reads.setdefault(v, []).append(Read(v, self.clock, path, block, op))
            for inner in op.blocks:
                below = (*path, (op, inner))
                self.define(inner.params, below, inner, None)
                for v in values_in(fed_by(op) if inner is op.blocks[-1] else []):
                    self.reads.setdefault(v, []).append(Read(v, self.clock, below, block, op))
                self.block(inner, below)
                self.yields(inner, below)
            self.clock += 1
            self.ends[op] = self.clock
            self.writes += [Write(op, v, self.clock, path) for v in written(op)]
            self.define(op.results, path, block, op)

    def yields(self, block: Block, path: Path) -> None:
        self.clock += 1
        for v in values_in(block.yields):
            self.reads.setdefault(v, []).append(Read(v, self.clock, path, block, None))


def read_by(op: Op) -> list[Operand]:
    """The operands whose content an operation reads: of a note, only what it says is there now."""
    if isinstance(op, Apply) and op.fn is WRITTEN:
        return [op.args[1]]
    if isinstance(op, Loop):
        return [*op.inits, *(op.bounds or ())]
    if isinstance(op, Apply) and is_store(op):
        return [op.args[2]]
    return operands_of(op)


def is_store(op: Op) -> bool:
    return isinstance(op, Apply) and isinstance(op.fn, Store)


def fed_by(op: Op) -> list[Operand]:
    """Stacks and sequences of which a loop reads an element in each iteration, as they are then."""
    return [stack for stack, _ in op.feeds] if isinstance(op, Loop) else []


def has_writes(op: Op) -> bool:
    if isinstance(op, Call):
        return any(j is not None for _, j in op.callee.facts.writes)
    return isinstance(op, Apply) and (is_version(op) or op.fn in (WRITTEN, SET_CONTENT))


def written(op: Op) -> Iterator[Value]:
    """The values whose memory an operation writes to."""
    if isinstance(op, Call):
        for k, j in op.callee.facts.writes:
            if j is not None:
                yield from values_in(op.args[k])
    elif isinstance(op, Apply) and op.fn is SET_CONTENT:
        yield from values_in(op.args[0])
    elif isinstance(op, Apply):
        yield from values_in(base_of(op))


def exclusive(a: Path, b: Path) -> bool:
    """True if two points are on different sides of one condition."""
    sides = {id(op): block for op, block in a if isinstance(op, If)}
    return any(isinstance(op, If) and sides.get(id(op), block) is not block for op, block in b)
