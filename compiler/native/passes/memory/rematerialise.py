"""Recomputes what would cost more to read: sums and differences of smaller arrays."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import (
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Lit,
    Op,
    Product,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    rewrite,
    subexpressions,
    walk,
)
from ...loop_ir.operation_traits import scalar_operation  # fmt: skip

__all__ = ["recompute"]

MOST = 3  # operations


def recompute(kernel: Kernel) -> Kernel:
    """Put the expressions of cheap, larger buffers where they are read."""
    found: dict[int, list[tuple[Store, list[For]]]] = {}
    collect(kernel.body, [], found)
    products = {
        id(b) for s in walk(kernel.body) if isinstance(s, Product) for b in (s.c, s.a[0], s.b[0])
    }
    for stmt in list(walk(kernel.body)):
        if not isinstance(stmt, Alloc) or stmt.buffer.role != "local" or stmt.zero:
            continue
        stores = found.get(id(stmt.buffer), [])
        if len(stores) == 1 and id(stmt.buffer) not in products and is_cheap(*stores[0]):
            replace(kernel, stmt.buffer, stores[0][0])
    return kernel


def collect(stmts: list[Stmt], loops: list[For], found: Any) -> None:
    """The stores to each buffer, with the loops around them; inside a branch or a while they do not count."""
    for stmt in stmts:
        if isinstance(stmt, Store):
            found.setdefault(id(stmt.buffer), []).append((stmt, list(loops)))
        elif isinstance(stmt, For):
            collect(stmt.body, [*loops, stmt], found)
        elif isinstance(stmt, If) or blocks_of(stmt):
            for inner in walk([stmt]):
                if isinstance(inner, Store):
                    found.setdefault(id(inner.buffer), []).extend([(inner, [])] * 2)


def is_cheap(store: Store, loops: list[For]) -> bool:
    """True if a store fills its buffer with little arithmetic on arguments of fewer axes."""
    if store.op is not None or len(loops) != len(store.index):
        return False
    for loop, index, n in zip(loops, store.index, store.buffer.dims, strict=True):
        if (
            index != affine(loop.var)
            or affine(loop.lo) != Affine((), 0)
            or affine(loop.hi) != affine(n)
        ):
            return False
    count = 0
    own = {loop.var for loop in loops}
    for e in subexpressions(store.value):
        if isinstance(e, Op):
            count += 1
            if not scalar_operation(e.name).cheap:
                return False
        elif isinstance(e, Get):
            if e.buffer.role != "argument" or len(e.index) >= len(store.index):
                return False
        elif (isinstance(e, Var) and e not in own) or not isinstance(e, (Affine, Lit, Var)):
            return False
    return count <= MOST


def replace(kernel: Kernel, buffer: Buffer, store: Store) -> None:
    """Every read of a buffer as the expression it holds."""
    names = [affine(i).terms[0][0] for i in store.index]

    def change(e: Any) -> Any:
        if not (isinstance(e, Get) and e.buffer is buffer):
            return e
        places = dict(zip(names, e.index, strict=True))
        return rewrite(store.value, lambda x: places.get(x, x) if isinstance(x, Var) else x)

    change_exprs(kernel.body, change)
