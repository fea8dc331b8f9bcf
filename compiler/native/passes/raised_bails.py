"""Tests of sizes and indices as early in their block as their numbers are known: loops stand beside each other then.

What they find equal is written alike from there on, and so is the number of iterations of a loop that
has one: ``max(n - 1, 0)`` is ``n - 1`` in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..loop_ir.calls import Ends
from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Bail,
    Break,
    Continue,
    For,
    Get,
    Kernel,
    Let,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    blocks_of,
    change_exprs,
    subexpressions,
    variables,
    walk,
)  # fmt: skip

__all__ = ["is_steady", "mutable_names", "raised"]


def raised(kernel: Kernel) -> Kernel:
    """Raise tests, and write what is equal alike."""
    mutable = mutable_names(kernel)
    sizes = {
        s.var: s.value for s in walk(kernel.body) if isinstance(s, Let) and s.var.dtype == "i8"
    }
    counts_known(kernel.body, sizes, mutable)
    raise_in(kernel.body, mutable)
    return kernel


def mutable_names(kernel: Kernel) -> set[str]:
    """The variables that are set more than once."""
    return {s.var.name for s in walk(kernel.body) if isinstance(s, (Set, Accumulate))}


def is_steady(e: Any, mutable: set[str]) -> bool:
    """True if an expression reads no memory and nothing that is set again."""
    return not any(
        isinstance(s, Get) or (isinstance(s, Var) and s.name in mutable) for s in subexpressions(e)
    )


def counts_known(stmts: list[Stmt], sizes: dict[Var, Any], mutable: set[str]) -> None:
    """In a loop that begins at 0 its number of iterations is not 0."""
    for stmt in stmts:
        if isinstance(stmt, For) and affine(stmt.lo) == affine(0):
            count = single(stmt.hi)
            value = sizes.get(count) if count is not None else None
            if (
                isinstance(value, Op)
                and value.name == "maximum"
                and affine(value.args[1]) == affine(0)
            ):
                known = value.args[0]
                if known.dtype == "i8" and is_steady(known, mutable):
                    assert count is not None
                    written_as(stmt.body, count, known)
        for block in blocks_of(stmt):
            counts_known(block, sizes, mutable)


def single(e: Any) -> Var | None:
    """The variable that an expression is, if it is one."""
    if isinstance(e, Affine) and not e.const and len(e.terms) == 1 and e.terms[0][1] == 1:
        e = e.terms[0][0]
    return e if isinstance(e, Var) else None


def written_as(stmts: list[Stmt], var: Var, value: Any) -> None:
    change_exprs(stmts, lambda e: value if e == var else e)


def raise_in(stmts: list[Stmt], mutable: set[str]) -> None:
    bound: set[str] = set()
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, Let):
            bound.add(stmt.var.name)
        if type(stmt) is Bail and is_steady(stmt.cond, mutable):
            at = place_of(stmts, k)
            stmts.insert(at, stmts.pop(k))
            equal = equal_to(stmt.cond, bound)
            if equal is not None:
                written_as(stmts[k + 1 :], *equal)
        for block in blocks_of(stmt):
            raise_in(block, mutable)
        k += 1


def place_of(stmts: list[Stmt], k: int) -> int:
    """The first place in a block where the test number ``k`` may stand."""
    stmt = stmts[k]
    assert isinstance(stmt, Bail)
    names = {v.name for v in variables(stmt.cond)}
    while k:
        before = stmts[k - 1]
        if isinstance(before, Bail) or (isinstance(before, Let) and before.var.name in names):
            break
        if isinstance(before, (Break, Continue)) or leads_out([before]):
            break
        k -= 1
    return k


def leads_out(stmts: Iterable[Stmt]) -> bool:
    """True if the iteration around may end in these statements."""
    return any(
        isinstance(s, (Break, Continue, Ends))
        or (not isinstance(s, (For, While)) and any(map(leads_out, blocks_of(s))))
        for s in stmts
    )


def equal_to(cond: Any, bound: set[str]) -> tuple[Var, Any] | None:
    """A variable of this block, and what it equals where a condition does not hold."""
    if not isinstance(cond, Op) or cond.name != "not_equal":
        return None
    for one, other in (cond.args, cond.args[::-1]):
        var = single(one)
        if var is None or var.name not in bound or var.dtype != "i8" or other.dtype != "i8":
            continue
        if all(v != var for v in variables(other)):
            return var, affine(other)
    return None
