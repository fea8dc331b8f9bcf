"""Adds up in a variable what a loop adds to one place of memory, and stores it once."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import (
    Accumulate,
    For,
    Get,
    Kernel,
    Let,
    Lit,
    Set,
    Stmt,
    Store,
    Var,
    blocks_of,
    exprs_of,
    loads,
    subexpressions,
    variables,
    walk,
)

__all__ = ["in_registers"]


def in_registers(kernel: Kernel) -> Kernel:
    """Accumulate in variables, in the innermost loops."""
    counter = [0]
    in_block(kernel.body, counter)
    return kernel


def in_block(stmts: list[Stmt], counter: list[int]) -> None:
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        for block in blocks_of(stmt):
            in_block(block, counter)
        if isinstance(stmt, For) and all(map(is_simple, stmt.body)):
            before, after = beside(stmt, counter)
            stmts[k : k + 1] = [*before, stmt, *after]
            k += len(before) + len(after)
        k += 1


def is_simple(stmt: Stmt) -> bool:
    return isinstance(stmt, (Let, Set, Accumulate, Store))


def beside(loop: For, counter: list[int]) -> tuple[list[Stmt], list[Stmt]]:
    """The statements before and behind a loop whose sums have become variables."""
    changing = {s.var.name for s in walk(loop.body) if isinstance(s, (Let, Set, Accumulate))}
    changing.add(loop.var.name)
    sums: dict[tuple[int, Any], Var] = {}
    before: list[Stmt] = []
    after: list[Stmt] = []
    for k, stmt in enumerate(loop.body):
        if not isinstance(stmt, Store) or not is_sum(stmt, loop, changing):
            continue
        key = (id(stmt.buffer), stmt.index)
        if key not in sums:
            counter[0] += 1
            sums[key] = Var(f"total_{counter[0]}", stmt.buffer.dtype)
            before.append(Set(sums[key], Lit(0.0, stmt.buffer.dtype)))
            after.append(Store(stmt.buffer, stmt.index, sums[key], "add"))
        loop.body[k] = Accumulate(sums[key], "add", stmt.value)
    return before, after


def is_sum(store: Store, loop: For, changing: set[str]) -> bool:
    """True if a store adds a float to a place that stays, in memory that is only added to so."""
    if store.op != "add" or store.buffer.dtype[0] != "f" or not stays(store, changing):
        return False
    for s in loop.body:
        if any(g.buffer is store.buffer for e in exprs_of(s) for g in loads(e)):
            return False
        if isinstance(s, Store) and s.buffer is store.buffer and s.op != "add":
            return False
    return True


def stays(store: Store, changing: set[str]) -> bool:
    return not any(v.name in changing for i in store.index for v in variables(i)) and not any(
        isinstance(e, Get) for i in store.index for e in subexpressions(i)
    )
