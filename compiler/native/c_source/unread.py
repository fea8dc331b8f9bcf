"""What nobody reads is not written: variables, memory, and loops that are left with nothing to do."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Comment,
    For,
    Get,
    If,
    Let,
    Reserve,
    Routine,
    Set,
    Stmt,
    Store,
    Var,
    blocks_of,
    exprs_of,
    subexpressions,
    walk,
)

__all__ = ["buffers_of", "names_read", "without_unread"]


def without_unread(body: list[Stmt]) -> None:
    """Take out statements that only write what is not read, until there are none."""
    while True:
        read, memory = readings(body)
        if not removed(body, read, memory):
            return


def names_read(stmt: Stmt) -> set[str]:
    """The variables that a statement itself reads, those in the sizes of its memory among them."""
    parts = [] if isinstance(stmt, Alloc) else exprs_of(stmt)
    found = {s.name for e in parts for s in subexpressions(e) if isinstance(s, Var)}
    for buffer in buffers_of(stmt):
        strides = buffer.dims if isinstance(stmt, Alloc) and stmt.zero else buffer.dims[1:]
        found |= {s.name for n in strides for s in subexpressions(n) if isinstance(s, Var)}
    return found


def buffers_of(stmt: Stmt) -> list[Any]:
    """The memory that a statement itself reads or writes."""
    found = [s.buffer for e in exprs_of(stmt) for s in subexpressions(e) if isinstance(s, Get)]
    if isinstance(stmt, (Store, Alloc, Reserve)):
        found.append(stmt.buffer)
    return found


def readings(body: list[Stmt]) -> tuple[Counter[str], set[int]]:
    """How often variables are read by others than themselves, and the memory that is read."""
    read: Counter[str] = Counter()
    memory: set[int] = set()
    for stmt in walk(body):
        own = stmt.var.name if isinstance(stmt, (Set, Let, Accumulate)) else None
        read.update(names_read(stmt) - {own})
        for e in exprs_of(stmt):
            for s in subexpressions(e):
                if isinstance(s, Get) and not (
                    isinstance(stmt, Routine) and s.buffer is stmt.written
                ):
                    memory.add(id(s.buffer))
    return read, memory


def removed(stmts: list[Stmt], read: Counter[str], memory: set[int]) -> bool:
    kept = [s for s in stmts if is_needed(s, read, memory)]
    changed = len(kept) < len(stmts)
    stmts[:] = kept
    for stmt in stmts:
        for block in blocks_of(stmt):
            changed |= removed(block, read, memory)
    return changed


def is_needed(stmt: Stmt, read: Counter[str], memory: set[int]) -> bool:
    if isinstance(stmt, (Set, Let, Accumulate)):
        return read[stmt.var.name] > 0
    if isinstance(stmt, (Store, Alloc, Reserve)):
        return stmt.buffer.role in ("result", "argument") or id(stmt.buffer) in memory
    if isinstance(stmt, Routine):
        role = stmt.written.role
        return stmt.fails or role == "result" or id(stmt.written) in memory
    if isinstance(stmt, For):
        return any(not isinstance(s, Comment) for s in stmt.body)
    if isinstance(stmt, If):
        return any(not isinstance(s, Comment) for s in [*stmt.then, *stmt.orelse])
    return True
