"""Products of a fixed matrix with a row of an argument for each iteration: many rows at a time."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass

from ...loop_ir.effects import effects_of
from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Lit,
    Op,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    integer,
    minus,
    plus,
    rewrite,
    subexpressions,
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

__all__ = ["ahead"]


@dataclass
class Rows:
    """``target[i] = sum over j of row(j) * matrix(j, i)``, for each iteration of a loop."""

    target: Buffer
    i: Var
    j: Var
    sizes: tuple[Affine, Affine]
    row: Any
    matrix: Any


def ahead(kernel: Kernel) -> Kernel:
    """Do the products of loops ahead."""
    ahead_block(kernel.body, [0])
    return kernel


def ahead_block(stmts: list[Stmt], counter: list[int]) -> None:
    for stmt in list(stmts):
        for block in blocks_of(stmt):
            ahead_block(block, counter)
        if isinstance(stmt, For):
            turns = Turns(stmt, counter[0])
            turns.slot = Var(f"ahead_{counter[0]}")
            counter[0] += 1
            if turns.is_plain():
                at = stmts.index(stmt)
                stmts[at:at] = brought_forward(stmt, turns, counter)


def brought_forward(loop: For, turns: Turns, counter: list[int]) -> list[Stmt]:
    """The memory for the products that a loop does ahead."""
    rooms: list[Stmt] = []
    for stmt in list(loop.body):
        rows = rows_of(stmt, loop, turns)
        if rows is None:
            continue
        counter[0] += 1
        name = f"rows_{counter[0]}"
        k, n = rows.sizes
        shapes = {"a": (integer(BATCH), k), "b": (k, n), "c": (integer(BATCH), n)}
        a, b, c = (Buffer(f"{name}_{x}", rows.target.dtype, shapes[x]) for x in "abc")
        rooms += [Alloc(a), Alloc(b), Alloc(c)]
        turns.start()
        at = loop.body.index(stmt)
        loop.body[at : at + 1] = [
            *batch(loop, turns, rows, (a, b, c), name),
            For(rows.i, integer(0), n, [
                Store(rows.target, (affine(rows.i),), Get(c, (affine(turns.slot), affine(rows.i))))
            ], free=True),
        ]  # fmt: skip
        for s in loop.body:
            if isinstance(s, Alloc) and s.buffer is rows.target:
                s.zero = False
    return rooms


def batch(
    loop: For, turns: Turns, rows: Rows, buffers: tuple[Buffer, Buffer, Buffer], name: str
) -> list[Stmt]:
    """The product for the iterations from here on, at the first of them."""
    a, b, c = buffers
    k, n = rows.sizes
    p = Var(f"{name}_k")
    fill = [Store(b, (affine(rows.j), affine(rows.i)), rows.matrix)]
    whole = For(
        rows.j, integer(0), k, [For(rows.i, integer(0), n, list(fill), free=True)], free=True
    )
    at = step(loop, p)
    row = rewrite(rows.row, lambda e: at if e == loop.var else e)
    left = minus(turns.count, turns.turn)
    count = affine(Op("minimum", (left, integer(BATCH)), "i8"))
    take = [Store(a, (affine(p), affine(rows.j)), row)]
    taken = For(
        p, integer(0), count, [For(rows.j, integer(0), k, list(take), free=True)], free=True
    )
    first = Op("equal", (turns.turn, integer(0)), "b1")
    begins = Op("equal", (affine(turns.slot), integer(0)), "b1")
    product = product_of(c, a, b, False, (count, k, n), name)
    return [If(first, [whole]), If(begins, [taken, product])]


def step(loop: For, p: Var) -> Affine:
    """The loop's variable, ``p`` iterations on."""
    return minus(loop.var, p) if loop.backwards else plus(loop.var, p)


def rows_of(stmt: Stmt, loop: For, turns: Turns) -> Rows | None:
    """A statement that multiplies a matrix by what is known of each iteration before the loop."""
    found = dot_of(stmt)
    if found is None:
        return None
    target, i, j, (k, n), value = found
    made = [s for s in loop.body if isinstance(s, Alloc) and s.buffer is target]
    writers = [s for s in loop.body if uses(s, target) and writes(s, target)]
    if len(made) != 1 or writers != [stmt] or target.dtype not in ("f8", "f4"):
        return None
    matrix: list[Any] = []
    row: list[Any] = []
    for factor in factors(value):
        if factor.dtype != target.dtype:
            return None
        (matrix if depends(factor, i) else row).append(factor)
    if not (turns.stays(k) and turns.stays(n) and is_worth(k, n)):
        return None
    own = {i.name, j.name}
    if not all(steady(m, turns, own) for m in matrix) or not matrix or not row:
        return None
    if not all(known_before(f, loop, turns, own) for f in row):
        return None
    if not any(depends(f, loop.var) for f in row):
        return None
    return Rows(
        target, i, j, (k, n), multiplied(row, target.dtype), multiplied(matrix, target.dtype)
    )


def writes(stmt: Stmt, buffer: Buffer) -> bool:
    return not isinstance(stmt, Alloc) and effects_of(stmt).written(id(buffer))


def dot_of(stmt: Stmt) -> tuple[Buffer, Var, Var, tuple[Affine, Affine], Any] | None:
    """``target[i] = sum of value over j``: target, i, j, their sizes (of j first), value."""
    if not isinstance(stmt, For) or affine(stmt.lo) != integer(0) or stmt.backwards:
        return None
    body = stmt.body
    if len(body) == 1 and isinstance(body[0], For):  # to memory that was set to zero
        inner, j = body[0], stmt.var
        store = inner.body[0]
        if len(inner.body) != 1 or not isinstance(store, Store) or store.op != "add":
            return None
        if store.index != (affine(inner.var),) or affine(inner.lo) != integer(0):
            return None
        return store.buffer, inner.var, j, (affine(stmt.hi), affine(inner.hi)), store.value
    if len(body) != 3:
        return None
    start, inner_, end = body
    if not (isinstance(start, Set) and isinstance(inner_, For) and isinstance(end, Store)):
        return None
    add = inner_.body[0]
    if len(inner_.body) != 1 or not isinstance(add, Accumulate) or add.op != "add":
        return None
    is_sum = isinstance(start.value, Lit) and start.value.value == 0.0 and add.var == start.var
    if not is_sum or end.op is not None or end.value != add.var or end.index != (affine(stmt.var),):
        return None
    if affine(inner_.lo) != integer(0) or inner_.backwards:
        return None
    sizes = (affine(inner_.hi), affine(stmt.hi))
    return end.buffer, stmt.var, inner_.var, sizes, add.value


def steady(e: Any, turns: Turns, own: set[str]) -> bool:
    """True if an expression is the same in all iterations, but for the variables of its own."""
    turns.written -= own
    try:
        return turns.stays(e)
    finally:
        turns.written |= own


def known_before(e: Any, loop: For, turns: Turns, own: set[str]) -> bool:
    """True if an element is one of an argument in a row of the loop's number: such a row was seen to
    be there before the loop.  A slice that moves with the loop is tested in each iteration.
    """
    if isinstance(e, Lit):
        return True
    if not (isinstance(e, Get) and e.buffer.role == "argument"):
        return False
    for index in e.index:
        parts = list(subexpressions(index))
        names = {s.name for s in parts if isinstance(s, Var)}
        if any(isinstance(s, (Op, Get)) for s in parts) or names & (turns.written - own):
            return False
        if loop.var.name in names and names & own:
            return False
    return True
