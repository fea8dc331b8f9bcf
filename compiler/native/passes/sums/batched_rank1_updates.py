"""Defer rank-1 updates in a loop and apply them as one matrix product.

``w += outer(p, q)`` in each iteration goes over all of ``w`` each time.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass

from ...loop_ir.ir import (
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Let,
    Op,
    Product,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    integer,
    loads,
    rewrite,
)
from ..loops.iteration_batches import (
    BATCH,
    Turns,
    depends,
    factors,
    is_worth,
    multiplied,
    product_of,
)
from ..memory.array_contraction import uses

__all__ = ["later"]


@dataclass
class Update:
    """``target[i, j] += first(i) * second(j)``, as the vectors are where ``place`` stands."""

    target: Buffer
    place: Stmt
    gone: list[Stmt]
    i: Var
    j: Var
    sizes: tuple[Affine, Affine]
    first: Any
    second: Any


def later(kernel: Kernel) -> Kernel:
    """Put the updates of loops off."""
    later_block(kernel.body, [0])
    return kernel


def later_block(stmts: list[Stmt], counter: list[int]) -> None:
    for stmt in list(stmts):
        for block in blocks_of(stmt):
            later_block(block, counter)
        if isinstance(stmt, For):
            before, after = put_off(stmt, counter)
            at = stmts.index(stmt)
            stmts[at : at + 1] = [*before, stmt, *after]


def put_off(loop: For, counter: list[int]) -> tuple[list[Stmt], list[Stmt]]:
    """The statements before and after a loop whose updates are put off."""
    turns = Turns(loop, counter[0])
    if not turns.is_plain():
        return [], []
    found = [u for s in loop.body if (u := update_of(s, loop, turns)) is not None]
    if not found:
        return [], []
    before: list[Stmt] = []
    full: list[Stmt] = []
    rest: list[Stmt] = []
    left = Var(f"left_{counter[0]}")
    for u in found:
        counter[0] += 1
        name = f"late_{counter[0]}"
        n, m = u.sizes
        dtype = u.target.dtype
        p, q = (Buffer(f"{name}_{x}", dtype, (integer(BATCH), size)) for x, size in zip("pq", u.sizes, strict=True))  # fmt: skip
        total = Buffer(f"{name}_sum", dtype, (n, m))
        before += [Alloc(p), Alloc(q), Alloc(total)]
        slot = affine(turns.slot)
        at = loop.body.index(u.place)
        loop.body[at:at] = [
            For(u.i, integer(0), n, [Store(p, (slot, affine(u.i)), u.first)], free=True),
            For(u.j, integer(0), m, [Store(q, (slot, affine(u.j)), u.second)], free=True),
        ]
        loop.body[:] = [s for s in loop.body if not any(s is g for g in u.gone)]
        full += added(u.target, total, p, q, (n, integer(BATCH), m), f"{name}_full")
        rest += added(u.target, total, p, q, (n, affine(left), m), f"{name}_rest")
    turns.start()
    counter[0] += 1
    last = Op("equal", (affine(turns.slot), integer(BATCH - 1)), "b1")
    loop.body.append(If(last, full))
    count = Op("maximum", (turns.count, integer(0)), "i8")
    after: list[Stmt] = [Let(left, Op("remainder", (affine(count), integer(BATCH)), "i8"))]
    after.append(If(Op("less", (integer(0), affine(left)), "b1"), rest))
    return before, after


def added(
    target: Buffer, total: Buffer, p: Buffer, q: Buffer, sizes: tuple[Any, Any, Any], name: str
) -> list[Stmt]:
    """``target += p.T @ q``."""
    i, j = Var(f"{name}_r"), Var(f"{name}_s")
    where = (affine(i), affine(j))
    inner = For(
        j, integer(0), sizes[2], [Store(target, where, Get(total, where), "add")], free=True
    )
    product: Product = product_of(total, p, q, True, sizes, name)
    return [product, For(i, integer(0), sizes[0], [inner], free=True)]


def update_of(stmt: Stmt, loop: For, turns: Turns) -> Update | None:
    """A statement that adds an outer product to a matrix which the loop does nothing else with."""
    found = nest_of(stmt)
    if found is None or found[2].op != "add":
        return None
    outer, inner, store = found
    target = store.buffer
    users = [s for s in loop.body if uses(s, target)]
    if users != [stmt] or target.dtype not in ("f8", "f4") or target.role == "arena":
        return None
    value, place, gone = store.value, stmt, [stmt]
    source = source_of(value, store, stmt, loop)
    if source is not None:
        value, place = source
        gone = [stmt, place]
    first: list[Any] = []
    second: list[Any] = []
    for factor in factors(value):
        if depends(factor, inner.var) and depends(factor, outer.var):
            return None
        (second if depends(factor, inner.var) else first).append(factor)
        if factor.dtype != target.dtype or any(g.buffer is target for g in loads(factor)):
            return None
    n, m = affine(outer.hi), affine(inner.hi)
    if not (first and second and turns.stays(n) and turns.stays(m) and is_worth(n, m)):
        return None
    return Update(
        target, place, gone, outer.var, inner.var, (n, m),
        multiplied(first, target.dtype), multiplied(second, target.dtype),
    )  # fmt: skip


def nest_of(stmt: Stmt) -> tuple[For, For, Store] | None:
    """Two loops from 0 on around a store to a matrix, in order."""
    if not (isinstance(stmt, For) and len(stmt.body) == 1 and isinstance(stmt.body[0], For)):
        return None
    inner = stmt.body[0]
    store = inner.body[0]
    if len(inner.body) != 1 or not isinstance(store, Store):
        return None
    in_order = store.index == (affine(stmt.var), affine(inner.var))
    whole = all(affine(x.lo) == integer(0) and not x.backwards for x in (stmt, inner))
    return (stmt, inner, store) if in_order and whole else None


def source_of(value: Any, store: Store, stmt: Stmt, loop: For) -> tuple[Any, Stmt] | None:
    """The content of a matrix that is made only to be added, and where it is made."""
    if not (isinstance(value, Get) and value.index == store.index and value.buffer.role == "local"):
        return None
    users = [s for s in loop.body if uses(s, value.buffer) and not isinstance(s, Alloc)]
    if len(users) != 2 or users[1] is not stmt:
        return None
    made = nest_of(users[0])
    known = any(isinstance(s, Alloc) and s.buffer is value.buffer for s in loop.body)
    if made is None or made[2].op is not None or made[2].buffer is not value.buffer or not known:
        return None
    outer, inner, source = made
    target = nest_of(stmt)
    assert target is not None
    same = (affine(outer.hi), affine(inner.hi)) == (affine(target[0].hi), affine(target[1].hi))
    if not same or any(g.buffer is value.buffer for g in loads(source.value)):
        return None
    names = {outer.var: target[0].var, inner.var: target[1].var}
    moved = rewrite(source.value, lambda e: names.get(e, e) if isinstance(e, Var) else e)
    return moved, users[0]
