"""Use the range-limited sine and cosine in vector loops; bail out on huge arguments.

The others are counted; if there were any, the kernel bails out.
"""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Bail,
    For,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    exprs_of,
    integer,
    subexpressions,
)
from ..loop_ir.operation_traits import scalar_operation
from ..math.trigonometry import RANGES

__all__ = ["near"]


def near(kernel: Kernel) -> Kernel:
    """Take the functions for usual angles wherever a loop may become vectors."""
    near_block(kernel.body, [0])
    return kernel


def near_block(stmts: list[Stmt], counter: list[int]) -> None:
    for stmt in list(stmts):
        if not isinstance(stmt, For):
            for block in blocks_of(stmt):
                near_block(block, counter)
            continue
        far = Var(f"far_{counter[0]}")
        if in_loop(stmt, far, counter):
            counter[0] += 1
            at = stmts.index(stmt)
            found = Op("less", (integer(0), affine(far)), "b1")
            stmts[at : at + 1] = [Set(far, integer(0)), stmt, Bail(found)]


def in_loop(loop: For, far: Var, counter: list[int]) -> bool:
    """Change the loops inside, and this one; whether any was."""
    if all(isinstance(s, (Let, Set, Accumulate, Store)) for s in loop.body):
        return loop.free and not loop.backwards and changed(loop, far)
    found = False
    for stmt in loop.body:
        if isinstance(stmt, For):
            found |= in_loop(stmt, far, counter)
        elif isinstance(stmt, If):
            for block in blocks_of(stmt):
                for inner in block:
                    found |= isinstance(inner, For) and in_loop(inner, far, counter)
        else:
            for block in blocks_of(stmt):  # what may run for ever is left before it goes on
                near_block(block, counter)
    return found


def changed(loop: For, far: Var) -> bool:
    """Put the functions into a loop, and count the angles that they are not made for."""
    made: list[Stmt] = []
    for stmt in loop.body:
        angles = {
            e.args[0]: None
            for top in exprs_of(stmt)
            for e in subexpressions(top)
            if isinstance(e, Op) and e.dtype[0] == "f" and scalar_operation(e.name).near
        }
        counts = [count(far, angle) for angle in angles]
        change_exprs([*counts, stmt], inline)
        made += [*counts, stmt]
    found = len(made) > len(loop.body)
    loop.body[:] = made
    return found


def count(far: Var, angle: Any) -> Stmt:
    most = Lit(RANGES["rg_sin_near"], angle.dtype)
    is_far = Op("greater", (Op("fabs", (angle,), angle.dtype), most), "b1")
    return Accumulate(far, "add", Op("cast", (is_far,), "i8"))


def inline(e: Any) -> Any:
    return (
        Op(f"{e.name}_near", e.args, e.dtype)
        if isinstance(e, Op) and e.dtype[0] == "f" and scalar_operation(e.name).near
        else e
    )
