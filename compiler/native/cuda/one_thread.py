"""Which statements one thread runs, and which are worth a grid."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Break,
    Continue,
    For,
    Get,
    If,
    Let,
    Set,
    Stmt,
    Store,
    exprs_of,
    minus,
    subexpressions,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.operation_traits import scalar_operation

__all__ = ["is_for_one_thread", "is_identity", "is_worth_a_grid", "read_by", "touches_memory"]

FEW = 64  # iterations of loops inside of one that a single thread runs


def is_identity(e: Any, op: str) -> bool:
    value = (
        getattr(e, "value", None) if not hasattr(e, "const") else (e.const if not e.terms else None)
    )
    return value is not None and value == scalar_operation(op).identity


def read_by(stmts: list[Stmt]) -> set[str]:
    """The variables that statements read."""
    found = {v.name for s in walk(stmts) for e in exprs_of(s) for v in variables(e)}
    return found | {s.var.name for s in walk(stmts) if isinstance(s, Accumulate)}


def is_worth_a_grid(loop: For) -> bool:
    count = minus(loop.hi, loop.lo)
    return bool(count.terms) or count.const > 8


def touches_memory(loop: For) -> bool:
    return any(
        isinstance(s, Store)
        or any(isinstance(e, Get) for top in exprs_of(s) for e in subexpressions(top))
        for s in walk(loop.body)
    )


def is_for_one_thread(stmts: list[Stmt]) -> bool:
    """True if nothing in statements is repeated often but for loops over steps."""
    return all(one_thread(s, 0) for s in stmts)


def one_thread(s: Stmt, depth: int) -> bool:
    if isinstance(s, (Let, Set, Accumulate, Store)) or (depth and isinstance(s, (Break, Continue))):
        return True
    if isinstance(s, If):
        return all(one_thread(t, depth) for t in [*s.then, *s.orelse])
    if isinstance(s, For):
        count = minus(s.hi, s.lo)
        small = not count.terms and count.const <= FEW
        return (depth == 0 or small) and all(one_thread(t, depth + 1) for t in s.body)
    return False
