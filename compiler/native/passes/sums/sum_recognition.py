"""Running sums that the text writes as ``v = v + e`` are additions, whose order does not matter."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import (
    Accumulate,
    For,
    Kernel,
    Let,
    Op,
    Set,
    Var,
    exprs_of,
    variables,
    walk,
)  # fmt: skip

__all__ = ["running_sums"]


def running_sums(kernel: Kernel) -> Kernel:
    """Write running sums as such."""
    reads = read_by(kernel)
    for stmt in walk(kernel.body):
        if isinstance(stmt, For):
            sums(stmt, reads)
    return kernel


def read_by(kernel: Kernel) -> dict[str, int]:
    """How often each variable is read."""
    found: dict[str, int] = {}
    for stmt in walk(kernel.body):
        for e in exprs_of(stmt):
            for v in variables(e):
                found[v.name] = found.get(v.name, 0) + 1
    return found


def sums(loop: For, reads: dict[str, int]) -> None:
    """``t = v + e; v = t`` as an addition to ``v``, of which this loop reads nothing else."""
    for stmt in list(loop.body):
        if not isinstance(stmt, Set) or stmt.var.dtype[0] != "f" or stmt not in loop.body:
            continue
        value, let = stmt.value, None
        if isinstance(value, Var):
            let = next((s for s in loop.body if isinstance(s, Let) and s.var == value), None)
            value = let.value if let is not None and reads[value.name] == 1 else None
        term = added(value, stmt.var)
        if term is None or not alone(loop, stmt.var, {id(stmt), id(let)}):
            continue
        loop.body[loop.body.index(let or stmt)] = Accumulate(stmt.var, "add", term)
        if let is not None:  # what is added is what it was there
            loop.body.remove(stmt)


def added(value: Any, var: Var) -> Any:
    """The term that is added to a variable, if that is all."""
    if not isinstance(value, Op) or value.name not in ("add", "subtract"):
        return None
    a, b = value.args
    if value.name == "add" and b == var:
        a, b = b, a
    if a != var or any(v == var for v in variables(b)):
        return None
    return b if value.name == "add" else Op("negative", (b,), value.dtype)


def alone(loop: For, var: Var, own: set[int]) -> bool:
    """True if a loop neither reads nor writes a variable but in these statements."""
    for s in walk(loop.body):
        if id(s) in own:
            continue
        if isinstance(s, (Set, Accumulate)) and s.var == var:
            return False
        if any(v == var for e in exprs_of(s) for v in variables(e)):
            return False
    return True
