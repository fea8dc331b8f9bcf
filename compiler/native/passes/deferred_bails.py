"""Test bail-out conditions once, after the loop, where going on does no harm."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Bail,
    Break,
    Continue,
    For,
    Kernel,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    blocks_of,
    integer,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.scalar_operations import cast

__all__ = ["deferred"]


def deferred(kernel: Kernel) -> Kernel:
    """Test behind the outermost loop."""
    flags: list[Var] = []
    in_block(kernel.body, flags)
    kernel.body[:0] = [Set(flag, integer(0)) for flag in flags]
    return kernel


def in_block(stmts: list[Stmt], flags: list[Var]) -> None:
    """Take the tests out of the loops of a block."""
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, For) and goes_through(stmt):
            first = len(flags)
            counted(stmt.body, flags)
            for flag in flags[first:]:
                k += 1
                stmts.insert(k, Bail(Op("not_equal", (affine(flag), integer(0)), "b1")))
        else:
            for block in blocks_of(stmt):
                in_block(block, flags)
        k += 1


def goes_through(loop: For) -> bool:
    """True if all iterations run, whatever the numbers are."""
    return not any(isinstance(s, (While, Break, Continue)) for s in walk(loop.body))


def counted(stmts: list[Stmt], flags: list[Var]) -> None:
    """Count how often a test would have left, in place of leaving."""
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Bail) and is_harmless(stmt.cond):
            flag = Var(f"odd_{len(flags)}")
            flags.append(flag)
            stmts[k] = Accumulate(flag, "add", cast(stmt.cond, "i8"))
        for block in blocks_of(stmt):
            counted(block, flags)


def is_harmless(cond: Any) -> bool:
    """A test of a float: arithmetic goes on with infinities, but an index must be inside."""
    if not isinstance(cond, Op) or not all(v.dtype[0] == "f" for v in variables(cond)):
        return False
    if cond.name == "logical_not":
        inner = cond.args[0]
        return isinstance(inner, Op) and inner.name == "isfinite" and is_float(inner.args[0])
    return cond.name in ("equal", "less") and is_float(cond.args[0]) and is_zero(cond.args[1])


def is_float(e: Any) -> bool:
    return bool(e.dtype[0] == "f")


def is_zero(e: Any) -> bool:
    return isinstance(e, Lit) and e.value == 0.0
