"""Long sums in blocks: a thousand summands at a time, so that rounding grows with their number's root."""

from __future__ import annotations

from ...loop_ir.ir import (
    Accumulate,
    Affine,
    For,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Parts,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    integer,
    minus,
    plus,
    times,
)  # fmt: skip

__all__ = ["block_sums"]

LENGTH = 1024


def block_sums(kernel: Kernel) -> Kernel:
    """Cut the loops of sums that stand in no other loop, or in a part of one."""
    block_in(kernel.body, [0])
    return kernel


def block_in(stmts: list[Stmt], counter: list[int]) -> None:
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, If):
            block_in(stmt.then, counter)
            block_in(stmt.orelse, counter)
        elif isinstance(stmt, Parts):
            block_in(stmt.body, counter)
        elif isinstance(stmt, For) and is_long_sum(stmt):
            stmts[k] = blocked(stmt, counter)


def is_long_sum(loop: For) -> bool:
    """True if a loop adds up an unknown number of floats."""
    if not loop.free or loop.backwards or not minus(loop.hi, loop.lo).terms:
        return False
    sums = [s for s in loop.body if isinstance(s, Accumulate) and s.op == "add"]
    own = {s.var.name for s in loop.body if isinstance(s, Set)}
    return (
        any(s.var.name not in own and s.var.dtype[0] == "f" for s in sums)
        and len(sums) == sum(isinstance(s, Accumulate) for s in loop.body)
        and all(isinstance(s, (Let, Set, Accumulate, Store)) for s in loop.body)
    )


def blocked(loop: For, counter: list[int]) -> For:
    """The loop over blocks, with sums of its own in each."""
    counter[0] += 1
    outer = Var(f"block_{counter[0]}")
    start = plus(loop.lo, times(LENGTH, outer))
    own = {s.var.name for s in loop.body if isinstance(s, Set)}
    sums = {
        s.var: Var(f"part_{s.var.name}", s.var.dtype)
        for s in loop.body
        if isinstance(s, Accumulate) and s.var.name not in own
    }
    for s in loop.body:
        if isinstance(s, Accumulate) and s.var in sums:
            s.var = sums[s.var]
    end = Var(f"end_{counter[0]}")
    last = Op("minimum", (affine(loop.hi), plus(start, LENGTH)), "i8")
    inner = For(loop.var, start, affine(end), loop.body, free=True)
    body: list[Stmt] = [Let(end, last)]
    body += [Set(part, zero(part)) for part in sums.values()]
    body.append(inner)
    body += [Accumulate(var, "add", part) for var, part in sums.items()]
    count = Op("floor_divide", (plus(minus(loop.hi, loop.lo), LENGTH - 1), integer(LENGTH)), "i8")
    return For(outer, integer(0), affine(count), body)


def zero(var: Var) -> Lit | Affine:
    return Lit(0.0, var.dtype) if var.dtype[0] == "f" else integer(0)  # type: ignore[return-value]
