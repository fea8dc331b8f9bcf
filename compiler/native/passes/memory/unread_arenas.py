"""Lists of which only the sizes are read: what is put in, and the memory for it, is left out."""

from __future__ import annotations

from ...loop_ir.ir import (
    For,
    Get,
    Kernel,
    Reserve,
    Stmt,
    Store,
    blocks_of,
    exprs_of,
    subexpressions,
    walk,
)

__all__ = ["leave_unread"]


def leave_unread(kernel: Kernel) -> Kernel:
    """Take away arenas that nothing is read from."""
    read = {
        id(e.buffer)
        for stmt in walk(kernel.body)
        for top in exprs_of(stmt)
        for e in subexpressions(top)
        if isinstance(e, Get)
    }
    sweep(kernel.body, read)
    return kernel


def sweep(stmts: list[Stmt], read: set[int]) -> None:
    kept = []
    for stmt in stmts:
        if is_unread(stmt, read):
            continue
        for block in blocks_of(stmt):
            sweep(block, read)
        if not isinstance(stmt, For) or stmt.body:
            kept.append(stmt)
    stmts[:] = kept


def is_unread(stmt: Stmt, read: set[int]) -> bool:
    return (
        isinstance(stmt, (Store, Reserve))
        and stmt.buffer.role == "arena"
        and id(stmt.buffer) not in read
    )
