"""Computes before a loop what every iteration would compute again, even if inner loops run over it."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import (
    Accumulate,
    Alloc,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Op,
    Opaque,
    Product,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    integer,
    loads,
    rewrite,
    subexpressions,
    variables,
    walk,
)
from ...loop_ir.operation_traits import scalar_operation

__all__ = ["hoist"]

MOST = 2**16  # elements


def hoist(kernel: Kernel) -> Kernel:
    """Take functions of arguments out of the loops that do not change them."""
    counter = [0]
    out_of_block(kernel.body, counter)
    return kernel


def out_of_block(stmts: list[Stmt], counter: list[int]) -> None:
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, For):
            ahead = out_of_loop(stmt, counter)
            stmts[k:k] = ahead
            k += len(ahead)
        for block in blocks_of(stmt):
            out_of_block(block, counter)
        k += 1


def out_of_loop(loop: For, counter: list[int]) -> list[Stmt]:
    """The statements before a loop for the values that are the same in all its iterations."""
    inside = list(walk(loop.body))
    changing = {s.var.name for s in inside if isinstance(s, (Let, Set, Accumulate, For))}
    changing.add(loop.var.name)
    written = {id(s.buffer) for s in inside if isinstance(s, (Store, Alloc))}
    written |= {id(s.c) for s in inside if isinstance(s, Product)}
    written |= {id(b) for s in inside if isinstance(s, Opaque) for b in s.memory}
    ahead: list[Stmt] = []
    for let, value, path in costly(loop.body, [], {}):
        used = {v.name for v in variables(value)}
        over = [inner for inner in path if inner.var.name in used]
        if used & (changing - {inner.var.name for inner in over}):
            continue
        if not all(id(g.buffer) not in written and is_inside(g, over) for g in loads(value)):
            continue
        if {v.name for n in over for v in variables(n.hi)} & changing or size(over) > MOST:
            continue
        ahead += table(let, value, over, counter)
    return ahead


def is_inside(element: Get, over: list[For]) -> bool:
    """True if an index runs along all of its axis, so that nothing need be tested before it is read."""
    ends = {affine(loop.var): affine(loop.hi) for loop in over if affine(loop.lo) == integer(0)}
    for at, n in zip(map(affine, element.index), map(affine, element.buffer.dims), strict=True):
        known = not at.terms and not n.terms and 0 <= at.const < n.const
        if not known and ends.get(at) != n:
            return False
    return True


def size(loops: list[For]) -> int:
    """About how many elements a table has."""
    total = 1
    for loop in loops:
        n = affine(loop.hi)
        total *= 64 if n.terms else max(n.const, 1)
    return total


def costly(stmts: list[Stmt], path: list[For], names: dict[Var, Any]) -> list[Any]:
    """Lets of functions in nests of loops, with what they are of in terms of memory, and the loops."""
    found: list[Any] = []
    names = dict(names)
    for stmt in stmts:
        if isinstance(stmt, Let):
            value = rewrite(stmt.value, lambda e: names.get(e, e) if isinstance(e, Var) else e)
            if len(list(subexpressions(value))) < 12:
                names[stmt.var] = value
            if isinstance(value, Op) and scalar_operation(value.name).inline:
                found.append((stmt, value, path))
        elif isinstance(stmt, For):
            found += costly(stmt.body, [*path, stmt], names)
    return found


def table(let: Let, value: Any, over: list[For], counter: list[int]) -> list[Stmt]:
    """The values for all iterations of some loops, ahead; the place itself reads one."""
    counter[0] += 1
    dims = tuple(affine(loop.hi) for loop in over)
    made = Buffer(f"ahead_{counter[0]}", let.var.dtype, dims)
    new = [Var(f"h_{counter[0]}_{k}") for k in range(len(over))]
    swap = {loop.var: affine(v) for loop, v in zip(over, new, strict=True)}
    body: list[Stmt] = [
        Store(
            made,
            tuple(affine(v) for v in new),
            rewrite(value, lambda e: swap.get(e, e) if isinstance(e, Var) else e),
        )
    ]
    for var, n in reversed(list(zip(new, dims, strict=True))):
        body = [For(var, integer(0), n, body, free=True)]
    let.value = Get(made, tuple(affine(loop.var) for loop in over))
    return [Alloc(made), *body]
