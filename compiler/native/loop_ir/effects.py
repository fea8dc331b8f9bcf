"""Reads and writes of the statements of the loop IR, and whether two may change places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Buffer,
    Continue,
    For,
    Get,
    Let,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    exprs_of,
    subexpressions,
    walk,
)  # fmt: skip

__all__ = ["Effects", "effects_of", "independent"]

Access = tuple[tuple[Any, ...] | None, bool]  # an index (None: anywhere), and whether it writes


@dataclass
class Effects:
    """Of a statement and everything below it."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)  # scalars that others see
    buffers: dict[int, list[Access]] = field(default_factory=dict)
    fixed: bool = False  # it may leave: nothing moves across it

    def access(self, buffer: Buffer, index: tuple[Any, ...] | None, write: bool) -> None:
        self.buffers.setdefault(id(buffer), []).append((index, write))

    def written(self, buffer: int) -> bool:
        return any(write for _, write in self.buffers.get(buffer, ()))


def effects_of(stmt: Stmt) -> Effects:
    """The effects of one statement."""
    found = Effects()
    for s in walk([stmt]):
        for e in exprs_of(s):
            for part in subexpressions(e):
                if isinstance(part, Var):
                    found.reads.add(part.name)
                elif isinstance(part, Get):
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
        elif isinstance(s, (Bail, Break, Continue)):
            found.fixed = True
    return found


def independent(a: Effects, b: Effects) -> bool:
    """True if the order of two statements does not matter."""
    if a.fixed or b.fixed:
        return False
    if a.writes & (b.reads | b.writes) or b.writes & a.reads:
        return False
    return not any(a.written(k) or b.written(k) for k in a.buffers.keys() & b.buffers.keys())
