"""Reads and writes of the statements of the loop IR, and whether two may change places."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from .ir import (
    Accumulate,
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
    exprs_of,
    loads,
    variables,
    walk,
)  # fmt: skip

__all__ = ["Effects", "KnownEffects", "effects_of", "independent"]

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
        self.buffers.setdefault(id(buffer), []).append((index, write))
        if write:
            self.stored.add(id(buffer))

    def written(self, buffer: int) -> bool:
        return buffer in self.stored


def effects_of(stmt: Stmt) -> Effects:
    """The effects of one statement."""
    found = Effects()
    for s in walk([stmt]):
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
    return found


class KnownEffects:
    """The effects of statements, each looked through once, until it is said to have changed."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Stmt, Effects]] = {}

    def of(self, stmt: Stmt) -> Effects:
        if id(stmt) not in self.known:
            self.known[id(stmt)] = stmt, effects_of(stmt)
        return self.known[id(stmt)][1]

    def changed(self, stmt: Stmt) -> None:
        self.known.pop(id(stmt), None)


def independent(a: Effects, b: Effects) -> bool:
    """True if the order of two statements does not matter."""
    if a.fixed or b.fixed:
        return False
    if a.writes & (b.reads | b.writes) or b.writes & a.reads:
        return False
    return a.stored.isdisjoint(b.buffers) and b.stored.isdisjoint(a.buffers)
