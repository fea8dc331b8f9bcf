"""Where the memory and the variables of a kernel stand once it is printed."""

from __future__ import annotations

from retrograd.runtime.records import dataclass

from .ir import (
    Accumulate,
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Parts,
    Point,
    Poll,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    blocks_of,
    exprs_of,
    subexpressions,
    variables,
    walk,
)

__all__ = [
    "SMALL",
    "TYPES",
    "Declare",
    "elements",
    "find_homes",
    "on_stack",
    "rooms",
    "taken",
    "undeclare",
]

TYPES = {"f8": "double", "f4": "float", "i8": "int64_t", "b1": "int", "c16": "double complex"}
SMALL = 64  # elements of a buffer that stands on the stack


@dataclass(eq=False)
class Declare(Stmt):
    """A variable of a loop's body alone."""

    var: Var


def undeclare(stmts: list[Stmt]) -> None:
    """Take away what an earlier printing put there."""
    stmts[:] = [s for s in stmts if not isinstance(s, (Declare, Poll))]
    for s in stmts:
        for block_ in blocks_of(s):
            undeclare(block_)


def find_homes(
    block: list[Stmt],
    root: list[Stmt],
    returned: set[str],
    homes: dict[str, tuple[str, list[Stmt]]],
) -> set[str]:
    """Put each variable into the smallest body of a loop that has all of its uses; the names used below."""
    counts: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for stmt in block:
        own = {v.name for e in exprs_of(stmt) for v in variables(e)}
        if isinstance(stmt, (Set, Accumulate)):
            own.add(stmt.var.name)
            kinds[stmt.var.name] = TYPES[stmt.var.dtype]
        inner_names: set[str] = set()
        for inner_block in blocks_of(stmt):
            inner_names |= find_homes(inner_block, root, returned, homes)
        for name in own | inner_names:
            counts[name] = counts.get(name, 0) + 1
    for name in counts:
        kind = kinds.get(name) or (homes[name][0] if name in homes else None)
        if kind is None:
            continue
        moved = name in homes and counts[name] == 1 and name not in kinds and name not in returned
        if not moved:
            homes[name] = (kind, root if name in returned else block)
    return set(counts)


def rooms(kernel: Kernel) -> list[Buffer]:
    """The buffers that need memory from the heap."""
    found: dict[int, Buffer] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Point) and stmt.size is None:
            continue
        if isinstance(stmt, (Alloc, Reserve)) and not (
            isinstance(stmt, Alloc) and on_stack(stmt.buffer)
        ):
            found[id(stmt.buffer)] = stmt.buffer
    return list(found.values())


def on_stack(buffer: Buffer) -> bool:
    n = elements(buffer)
    return buffer.role in ("local", "shared") and n is not None and 0 < n <= SMALL


def elements(buffer: Buffer) -> int | None:
    total = 1
    for n in buffer.dims:
        if not isinstance(n, Affine) or n.terms:
            return None
        total *= n.const
    return total


def taken(stmt: Parts) -> dict[str, Var | Buffer]:
    """The numbers and the memory that parts are given, by name."""
    own, found = {stmt.var.name}, {v.name: v for v in variables(stmt.hi)}
    buffers: dict[str, Buffer] = {}
    for s in walk(stmt.body):
        if isinstance(s, (Let, For, Declare)):
            own.add(s.var.name)
        elif isinstance(s, Alloc):
            own.add(s.buffer.name)
        elif isinstance(s, Store):
            buffers[s.buffer.name] = s.buffer
        for e in (e for top in exprs_of(s) for e in subexpressions(top)):
            if isinstance(e, Var):
                found[e.name] = e
            elif isinstance(e, Get):
                buffers[e.buffer.name] = e.buffer
    found |= {v.name: v for b in buffers.values() for n in b.dims for v in variables(n)}
    both: dict[str, Var | Buffer] = {**found, **buffers}
    return {name: both[name] for name in sorted(both.keys() - own)}
