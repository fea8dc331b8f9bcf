"""Spares the reads of what was just stored, and joins several additions to one place."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...loop_ir.effects import Effects, KnownEffects, independent
from ...loop_ir.ir import (
    Get,
    Kernel,
    Let,
    Lit,
    Op,
    Stmt,
    Store,
    Var,
    blocks_of,
    change_exprs,
    subexpressions,
)

__all__ = ["forward"]


def forward(kernel: Kernel) -> Kernel:
    """Name the values of stores that are read again in the same block."""
    counter = [0]
    join_block(kernel.body)
    forward_block(kernel.body, counter)
    return kernel


def forward_block(stmts: list[Stmt], counter: list[int]) -> None:
    known = KnownEffects()
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, Store) and stmt.op is None:
            readers = [s for s in until_written(stmts, k, known) if reads(known.of(s), stmt)]
            if readers:
                place = Get(stmt.buffer, stmt.index)
                if not isinstance(stmt.value, (Var, Lit)):
                    counter[0] += 1
                    var = Var(f"held_{counter[0]}", stmt.value.dtype)
                    stmts.insert(k, Let(var, stmt.value))
                    stmt.value = var
                    k += 1
                change_exprs(readers, partial(instead, place, stmt.value))
                known.all_changed([stmt, *readers])
        for block in blocks_of(stmt):
            forward_block(block, counter)
        k += 1


def instead(place: Get, value: Any, e: Any) -> Any:
    return value if e == place else e


def until_written(stmts: list[Stmt], k: int, known: KnownEffects) -> list[Stmt]:
    """The statements after number ``k`` for which what it stored is still there."""
    store = stmts[k]
    assert isinstance(store, Store)
    names = {
        e.name for i in (*store.index, store.value) for e in subexpressions(i) if isinstance(e, Var)
    }
    found = []
    for s in stmts[k + 1 :]:
        effects = known.of(s)
        if effects.written(id(store.buffer)) or effects.writes & names:
            break
        found.append(s)
    return found


def reads(effects: Effects, store: Store) -> bool:
    """True if what was stored is read, at the same index."""
    found = effects.buffers.get(id(store.buffer), ())
    return any(index == store.index and not write for index, write in found)


def join_block(stmts: list[Stmt]) -> None:
    """Put each store into the addition to its place that follows."""
    known = KnownEffects()
    for stmt in list(stmts):
        if isinstance(stmt, Store) and stmt.op in (None, "add"):
            later = addition(stmts, stmts.index(stmt), known)
            if later is not None:
                place = Get(stmt.buffer, stmt.index)
                so_far = Op("add", (place, stmt.value), place.dtype) if stmt.op else stmt.value
                later.value = Op("add", (so_far, later.value), place.dtype)
                later.op = None
                stmts.remove(stmt)
                known.changed(later)
    for stmt in stmts:
        for block in blocks_of(stmt):
            join_block(block)


def addition(stmts: list[Stmt], k: int, known: KnownEffects) -> Store | None:
    """The next statement that touches the buffer of a store, if it adds to the same place."""
    store = stmts[k]
    assert isinstance(store, Store)
    own = known.of(store)
    for s in stmts[k + 1 :]:
        effects = known.of(s)
        if id(store.buffer) in effects.buffers:
            alone = len(effects.buffers[id(store.buffer)]) == 1
            if isinstance(s, Store) and s.buffer is store.buffer and s.index == store.index:
                return s if s.op == "add" and alone else None
            return None
        if not independent(own, effects):
            return None
    return None
