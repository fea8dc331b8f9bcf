"""Tests of indices that the bounds of loops decide are not made again."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import Bail, Lit, Op, Stmt, affine, blocks_of, change_exprs, minus, rewrite
from .bounds import Bounds

__all__ = ["without_decided"]


def without_decided(body: list[Stmt], bounds: Bounds) -> None:
    """Take out tests that cannot hold, and ways around for indices that are not negative."""

    def change(e: Any) -> Any:
        if not isinstance(e, Op):
            return e
        if e.name == "wrap" and bounds.is_nonnegative(e.args[0]):
            return affine(e.args[0])
        if e.name in ("less", "less_equal") and e.args[0].dtype == e.args[1].dtype == "i8":
            return Lit(False, "b1") if is_false(e, bounds) else e
        if e.name == "logical_or":
            left = [a for a in e.args if not (isinstance(a, Lit) and not a.value)]
            return e if len(left) == 2 else left[0] if left else Lit(False, "b1")
        return e

    change_exprs(body, lambda e: e if not isinstance(e, Op) or e.name != "wrap" else change(e))
    dropped(body, change)


def dropped(stmts: list[Stmt], change: Any) -> None:
    for stmt in stmts:
        if type(stmt) is Bail:
            stmt.cond = rewrite(stmt.cond, change)
        for block in blocks_of(stmt):
            dropped(block, change)
    stmts[:] = [
        s for s in stmts if not (type(s) is Bail and isinstance(s.cond, Lit) and not s.cond.value)
    ]


def is_false(e: Op, bounds: Bounds) -> bool:
    """True if the first integer is never less than the second."""
    low = bounds.most(minus(*e.args), -1)
    if low is None:
        return False
    if e.name == "less":
        return bounds.is_nonnegative(low)
    return bounds.is_nonnegative(minus(low, 1))
