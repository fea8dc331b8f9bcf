"""What was just stored is not read back from memory."""

from __future__ import annotations

from functools import partial
from typing import Any

from .effects import effects_of
from .loop_ir import (
    Get,
    Kernel,
    Let,
    Lit,
    Stmt,
    Store,
    Var,
    blocks_of,
    change_exprs,
    exprs_of,
    subexpressions,
    walk,
)

__all__ = ["forward"]


def forward(kernel: Kernel) -> Kernel:
    """Name the values of stores that are read again in the same block."""
    counter = [0]
    forward_block(kernel.body, counter)
    return kernel


def forward_block(stmts: list[Stmt], counter: list[int]) -> None:
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, Store) and stmt.op is None:
            readers = until_written(stmts, k)
            place = Get(stmt.buffer, stmt.index)
            if any(reads(s, place) for s in readers):
                if not isinstance(stmt.value, (Var, Lit)):
                    counter[0] += 1
                    var = Var(f"kept_{counter[0]}", stmt.value.dtype)
                    stmts.insert(k, Let(var, stmt.value))
                    stmt.value = var
                    k += 1
                value = stmt.value
                change_exprs(readers, partial(instead, place, value))
        for block in blocks_of(stmt):
            forward_block(block, counter)
        k += 1


def instead(place: Get, value: Any, e: Any) -> Any:
    return value if e == place else e


def until_written(stmts: list[Stmt], k: int) -> list[Stmt]:
    """The statements after number ``k`` for which what it stored is still there."""
    store = stmts[k]
    assert isinstance(store, Store)
    names = {
        e.name for i in (*store.index, store.value) for e in subexpressions(i) if isinstance(e, Var)
    }
    found = []
    for s in stmts[k + 1 :]:
        effects = effects_of(s)
        if effects.written(id(store.buffer)) or effects.writes & names:
            break
        found.append(s)
    return found


def reads(stmt: Stmt, place: Get) -> bool:
    return any(e == place for s in walk([stmt]) for top in exprs_of(s) for e in subexpressions(top))
