"""Reads and writes of the statements of the loop IR, and whether two may change places."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from .ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Break,
    Buffer,
    Continue,
    For,
    Let,
    Opaque,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    blocks_of,
    exprs_of,
    loads,
    variables,
    walk,
)  # fmt: skip

__all__ = ["Effects", "KnownEffects", "effects_of", "independent", "strides_read"]

Access = tuple[tuple[Any, ...] | None, bool]  # an index (None: anywhere), and whether it writes


@dataclass
class Effects:
    """Of a statement and everything below it."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)  # scalars that others see
    buffers: dict[int, list[Access]] = field(default_factory=dict)
    stored: set[int] = field(default_factory=set)  # those of them that are written to
    fixed: bool = False  # it may leave: nothing moves across it

    def access(self, buffer: Buffer, index: tuple[Any, ...] | None, write: bool) -> None:
        """An element, whose place follows from the sizes of the other axes."""
        self.buffers.setdefault(id(buffer), []).append((index, write))
        self.reads.update(strides_read(buffer))
        if write:
            self.stored.add(id(buffer))

    def written(self, buffer: int) -> bool:
        return buffer in self.stored

    def add(self, other: Effects) -> None:
        """Those of another statement, which runs beside."""
        self.reads |= other.reads
        self.writes |= other.writes
        for buffer, accesses in other.buffers.items():
            self.buffers.setdefault(buffer, []).extend(accesses)
        self.stored |= other.stored
        self.fixed = self.fixed or other.fixed


def strides_read(buffer: Buffer) -> list[str]:
    """The variables that tell where an element of a buffer stands: those of the sizes of all axes but the first."""
    sizes = [n for n in buffer.dims[1:] if not isinstance(n, Affine) or n.terms]
    return [v.name for n in sizes for v in variables(n)]


def effects_of(stmt: Stmt) -> Effects:
    """The effects of one statement."""
    found = Effects()
    for s in walk([stmt]):
        own_effects(s, found)
    return found


def own_effects(s: Stmt, found: Effects) -> None:
    """Those of a statement itself, without what is below it."""
    for e in exprs_of(s):
        found.reads.update([v.name for v in variables(e)])
        for part in loads(e):
            found.access(part.buffer, part.index, False)
    if isinstance(s, (Let, Set, Accumulate, For)):
        found.writes.add(s.var.name)
    elif isinstance(s, Store):
        found.access(s.buffer, s.index, True)
    elif isinstance(s, (Alloc, Reserve)):
        found.access(s.buffer, None, True)
    elif isinstance(s, Product):
        found.access(s.c, None, True)
        found.access(s.a[0], None, False)
        found.access(s.b[0], None, False)
    elif isinstance(s, Opaque):
        found.fixed = True
        for buffer in s.memory:
            found.access(buffer, None, True)
    elif isinstance(s, (Bail, Break, Continue)):
        found.fixed = True


class KnownEffects:
    """The effects of statements, each looked through once, until it is said to have changed."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Stmt, Effects]] = {}

    def of(self, stmt: Stmt) -> Effects:
        if id(stmt) not in self.known:
            found = Effects()
            own_effects(stmt, found)
            for block in blocks_of(stmt):
                for inner in block:
                    found.add(self.of(inner))
            self.known[id(stmt)] = stmt, found
        return self.known[id(stmt)][1]

    def changed(self, stmt: Stmt) -> None:
        """A statement is another one; those below it are what they were."""
        self.known.pop(id(stmt), None)

    def all_changed(self, stmts: list[Stmt]) -> None:
        for stmt in walk(stmts):
            self.changed(stmt)


def independent(a: Effects, b: Effects) -> bool:
    """True if the order of two statements does not matter."""
    if a.fixed or b.fixed:
        return False
    if a.writes & (b.reads | b.writes) or b.writes & a.reads:
        return False
    return a.stored.isdisjoint(b.buffers) and b.stored.isdisjoint(a.buffers)
