"""Sums of rows: four of them at a time, so that what they are added to is read and written once for four."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...loop_ir.ir import (
    For,
    Kernel,
    Op,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    integer,
    loads,
    minus,
    plus,
    rewrite,
    times,
    variables,
)
from .loop_fusion import weight

__all__ = ["jam"]

ROWS = 4
MOST = 6  # operations in an iteration


def jam(kernel: Kernel) -> Kernel:
    """Join the iterations of loops around sums that go to the same places in each of them."""
    jam_block(kernel.body, [0])
    return kernel


def jam_block(stmts: list[Stmt], counter: list[int]) -> None:
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, For) and is_sum_of_rows(stmt):
            stmts[k : k + 1] = made = jammed(stmt, counter)
            k += len(made)
        else:
            for block in blocks_of(stmt):
                jam_block(block, counter)
            k += 1


def is_sum_of_rows(loop: For) -> bool:
    """True if a loop's body is one loop, which adds to places that do not depend on the outer one."""
    count = minus(loop.hi, loop.lo)
    few = not count.terms and count.const < 2 * ROWS
    if few or loop.backwards or len(loop.body) != 1 or not isinstance(loop.body[0], For):
        return False
    inner = loop.body[0]
    stores = [s for s in inner.body if isinstance(s, Store) and s.op == "add"]
    targets = {id(s.buffer) for s in stores}
    fixed = [inner.lo, inner.hi, *(i for s in stores for i in s.index)]
    return (
        len(stores) == len(inner.body) == len(targets)
        and inner.free
        and weight(inner.body) <= MOST
        and all(s.buffer.dtype[0] == "f" for s in stores)
        and all(v != loop.var for e in fixed for v in variables(e))
        and not any(id(g.buffer) in targets for s in stores for e in (*s.index, s.value) for g in loads(e))
    )  # fmt: skip


def jammed(loop: For, counter: list[int]) -> list[Stmt]:
    """The loop over fours of iterations, and over those that are left."""
    counter[0] += 1
    four = Var(f"four_{counter[0]}")
    inner = loop.body[0]
    assert isinstance(inner, For)
    count = minus(loop.hi, loop.lo)
    fours = affine(count.const // ROWS)
    if count.terms:
        positive = affine(Op("maximum", (count, integer(0)), "i8"))
        fours = affine(Op("floor_divide", (positive, integer(ROWS)), "i8"))
    body = [
        Store(s.buffer, s.index, together(s.value, loop, four), "add") for s in stores_of(inner)
    ]
    own = For(inner.var, inner.lo, inner.hi, list(body), inner.backwards, inner.free)
    made: list[Stmt] = [For(four, integer(0), fours, [own])]
    if count.terms or count.const % ROWS:
        loop.lo = plus(loop.lo, times(ROWS, fours))
        made.append(loop)
    return made


def stores_of(loop: For) -> list[Store]:
    return [s for s in loop.body if isinstance(s, Store)]


def together(value: Any, loop: For, four: Var) -> Any:
    """The sum of four iterations."""
    parts = []
    for k in range(ROWS):
        at = plus(plus(loop.lo, times(ROWS, four)), k)
        parts.append(rewrite(value, partial(instead, loop.var, at)))
    found = parts[0]
    for part in parts[1:]:
        found = Op("add", (found, part), value.dtype)
    return found


def instead(var: Var, value: Any, e: Any) -> Any:
    return value if e == var else e
