"""An array that is copied to where it stays is made there.

A list keeps it, a name of a loop has it in the next iteration, or the caller gets it.
"""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Alloc,
    Break,
    Buffer,
    Continue,
    For,
    Get,
    Routine,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    integer,
    walk,
)
from .known_loops import Given
from .unread import buffers_of
from .zeros import zeros

__all__ = ["kept_in_place"]


def kept_in_place(stmts: list[Stmt], hints: dict[str, str], root: list[Stmt] | None = None) -> None:
    root = stmts if root is None else root
    for stmt in stmts:
        for block in blocks_of(stmt):
            kept_in_place(block, hints, root)
    for stmt in list(stmts):
        found = copied(stmt)
        if found is None:
            continue
        target, lead, source = found
        k = stmts.index(stmt)
        if not is_own(stmts, k, source, root) or target.dtype != source.dtype:
            continue
        if lead and fits(stmts, k, target, source):
            hints[target.name] = f"tape_{hints.get(source.name, source.name).removeprefix('v_')}"
        elif lead or not takes_place(stmts, k, target, source):
            continue
        del stmts[k]
        moved(stmts, source, target, lead)


def is_own(stmts: list[Stmt], k: int, source: Buffer, root: list[Stmt]) -> bool:
    """True of memory that is made in this block before a statement, and that nobody uses outside of the block."""
    made = [s for s in stmts[:k] if isinstance(s, Alloc) and s.buffer is source]
    if source.role != "local" or not made or isinstance(made[0], Given):
        return False
    uses = [sum(source in buffers_of(s) for s in walk(block)) for block in (stmts, root)]
    return uses[0] == uses[1]


def takes_place(stmts: list[Stmt], k: int, target: Buffer, source: Buffer) -> bool:
    """True if nobody needs what stood in ``target`` once ``source`` is written to, and both stay alike."""
    if target.role not in ("local", "result"):
        return False
    made = next(n for n, s in enumerate(stmts) if isinstance(s, Alloc) and s.buffer is source)
    zero = stmts[made].zero  # type: ignore[attr-defined]
    writers = [n for n in range(made, k) if any(written(s, source) for s in walk([stmts[n]]))]
    if not writers:
        return False
    first = made if zero else writers[0]
    between = [*walk(stmts[first:k])]
    if any(target in buffers_of(s) for s in between if not isinstance(s, Alloc)):
        return False
    if any(isinstance(s, Alloc) and s.buffer is target for s in stmts[first:]):
        return False
    if any(isinstance(s, (Break, Continue)) for s in between):
        return False
    later = [*walk(stmts[k + 1 :])]
    return not any(written(s, b) for s in later for b in (target, source))


def copied(stmt: Stmt) -> tuple[Buffer, tuple[Any, ...], Buffer] | None:
    """The list, the place in it and the array, if a statement copies all of an array into a list."""
    index: list[Var] = []
    bounds: list[Any] = []
    while isinstance(stmt, For) and len(stmt.body) == 1 and stmt.lo == integer(0):
        index.append(stmt.var)
        bounds.append(affine(stmt.hi))
        stmt = stmt.body[0]
    if not isinstance(stmt, Store) or stmt.op or not isinstance(stmt.value, Get) or not index:
        return None
    source, at = stmt.value.buffer, tuple(map(affine, index))
    rank = len(source.dims)
    cut = len(stmt.index) - rank
    if cut < 0 or source is stmt.buffer:
        return None
    lead, rest = stmt.index[:cut], stmt.index[cut:]
    sizes = tuple(map(affine, source.dims))
    free = [n for n in range(rank) if sizes[n] != integer(1)]
    expected = [integer(0)] * rank
    for n, i in zip(free, at, strict=False):
        expected[n] = i
    if len(free) != len(at) or tuple(map(affine, stmt.value.index)) != tuple(expected):
        return None
    if len(lead) > 1 or tuple(map(affine, rest)) != tuple(expected):
        return None
    if [sizes[n] for n in free] != bounds or own_sizes(stmt.buffer, len(lead)) != sizes:
        return None
    return stmt.buffer, lead, source


def own_sizes(buffer: Buffer, cut: int) -> tuple[Any, ...]:
    return tuple(map(affine, buffer.dims[cut:]))


def fits(stmts: list[Stmt], k: int, target: Buffer, source: Buffer) -> bool:
    """True of a list that nobody else writes to here, and an array that nobody writes to once it is kept."""
    if target.role == "arena":
        return False
    if any(target in buffers_of(s) for s in walk([*stmts[:k], *stmts[k + 1 :]])):
        return False
    return not any(written(s, source) for s in walk(stmts[k + 1 :]))


def written(stmt: Stmt, buffer: Buffer) -> bool:
    made = (
        stmt.buffer
        if isinstance(stmt, Store)
        else stmt.written
        if isinstance(stmt, Routine)
        else None
    )
    return made is buffer


def moved(stmts: list[Stmt], source: Buffer, target: Buffer, lead: tuple[Any, ...]) -> None:
    """The list's memory in place of an array's."""

    def change(e: Any) -> Any:
        return Get(target, (*lead, *e.index)) if isinstance(e, Get) and e.buffer is source else e

    zero = next(s for s in stmts if isinstance(s, Alloc) and s.buffer is source).zero
    for n, stmt in reversed(list(enumerate(stmts))):
        if isinstance(stmt, Alloc) and stmt.buffer is source:
            stmts[n : n + 1] = zeros(source) if zero else []
    change_exprs(stmts, change)
    for stmt in walk(stmts):
        if isinstance(stmt, Store) and stmt.buffer is source:
            stmt.buffer, stmt.index = target, (*lead, *stmt.index)
        elif isinstance(stmt, Routine) and stmt.written is source:
            stmt.written = target
