"""One test, and one memory, for all that is appended at once."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ...loop_ir.ir import Accumulate, Buffer, Let, Reserve, Set, Stmt, blocks_of, variables, walk

__all__ = ["Growth", "growths"]


@dataclass(eq=False)
class Growth(Reserve):
    """Room for ``count`` elements in several arenas."""

    others: list[Buffer] = field(default_factory=list)

    @property
    def buffers(self) -> list[Buffer]:
        """Those of the largest elements first: each is aligned then, one behind the other."""
        order = {"f8": 0, "i8": 0, "f4": 1, "b1": 2}
        return sorted([self.buffer, *self.others], key=lambda b: (order[b.dtype], b.name))

    @property
    def name(self) -> str:
        return self.buffers[0].name


def growths(stmts: list[Stmt]) -> list[Growth]:
    """Group the reservations of a kernel; one group of each kind."""
    found = {tuple(g.buffers): g for g in grouped(stmts)}
    if sum(map(len, found)) > len({b for buffers in found for b in buffers}):
        split(stmts)  # appended together here, and alone there
        found = {(s.buffer,): s for s in walk(stmts) if isinstance(s, Growth)}
    return list(found.values())


def split(stmts: list[Stmt]) -> None:
    """Each buffer by itself."""
    for stmt in list(stmts):
        for below in blocks_of(stmt):
            split(below)
        if isinstance(stmt, Growth):
            k = stmts.index(stmt)
            stmts[k : k + 1] = [Growth(b, stmt.count) for b in stmt.buffers]


def grouped(stmts: list[Stmt]) -> list[Growth]:
    """Take reservations of the same count together, in place, each where the first of them was."""
    found: list[Growth] = []
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        for below in blocks_of(stmt):
            found += grouped(below)
        if isinstance(stmt, Reserve):
            stmts[k] = group = Growth(stmt.buffer, stmt.count)
            found.append(group)
            gather(stmts, k, group)
        k += 1
    return found


def gather(stmts: list[Stmt], k: int, group: Growth) -> None:
    """Move what may be reserved at number ``k``, too, into the group there."""
    written: set[str] = set()
    j = k + 1
    while j < len(stmts):
        stmt = stmts[j]
        if (
            isinstance(stmt, Reserve)
            and stmt.count == group.count
            and not written & names_of(stmt.count, *stmt.buffer.dims[1:])
        ):
            group.others.append(stmt.buffer)
            del stmts[j]
            continue
        written |= {s.var.name for s in walk([stmt]) if isinstance(s, (Let, Set, Accumulate))}
        j += 1


def names_of(*exprs: Any) -> set[str]:
    return {v.name for e in exprs for v in variables(e)}
