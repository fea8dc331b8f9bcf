"""A sum that an iteration hands from name to name is one sum: ``s = v + a; s += b; v = s`` adds to ``v``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .contract import result_variables
from .loop_ir import (
    Accumulate,
    For,
    Kernel,
    Let,
    Lit,
    Set,
    Stmt,
    Var,
    exprs_of,
    variables,
    walk,
)
from .running import added
from .sharing import mentioned

__all__ = ["handed_sums"]


def handed_sums(kernel: Kernel) -> Kernel:
    """Write such sums as additions, in all loops."""
    uses = Counter(v.name for v in result_variables(kernel.results))
    for stmt in walk(kernel.body):
        uses.update(mentioned(stmt))
    for stmt in walk(kernel.body):
        if isinstance(stmt, For):
            for last in list(stmt.body):
                if isinstance(last, Set) and isinstance(last.value, Var):
                    hand_over(stmt, last, uses)
    return kernel


def hand_over(loop: For, last: Set, uses: Counter[Any]) -> None:
    """If ``last`` ends a sum of ``loop``, let it add what came in this iteration."""
    first = chain(loop, last, uses) if last.var.dtype[0] == "f" else None
    if first is None:
        return
    nothing = Lit(0.0, last.var.dtype)
    first.value = nothing if first.value == last.var else added(first.value, last.var)
    loop.body[loop.body.index(last)] = Accumulate(last.var, "add", last.value)


def chain(loop: For, last: Set, uses: Counter[Any]) -> Let | Set | None:
    """The statement that begins with the sum so far, if that is handed on to ``last`` and nobody else sees it."""
    at, name = loop.body.index(last), last.value
    while True:
        found = giver(loop, name, at)
        if found is None or uses[name.name] > len(mentions(loop, name)):
            return None
        at = loop.body.index(found)
        before = found.value if isinstance(found.value, Var) else base(found.value, last.var)
        if before == last.var:
            return found if mentions(loop, last.var) == [found, last] else None
        if before is None:
            return None
        name = before


def base(value: Any, wanted: Var) -> Var | None:
    """The variable that a value is a sum with, the wanted one first."""
    names = [wanted, *variables(value)]
    return next((v for v in names if v.dtype == wanted.dtype and added(value, v) is not None), None)


def giver(loop: For, name: Var, at: int) -> Let | Set | None:
    """The statement of ``loop`` that gives ``name`` its value, which others only add to before number ``at``."""
    reader = loop.body[at]
    found: Let | Set | None = None
    for k, stmt in enumerate(loop.body):
        for s in walk([stmt]):
            reads = any(v == name for e in exprs_of(s) for v in variables(e))
            if reads and s is not reader:
                return None
            if isinstance(s, Accumulate) and s.var == name:
                if s.op != "add" or found is None or k > at:
                    return None
            elif isinstance(s, (Let, Set)) and s.var == name and not is_start(s):
                if found is not None or s is not stmt or k >= at:
                    return None
                found = s
    return found


def is_start(stmt: Let | Set) -> bool:
    return isinstance(stmt, Set) and isinstance(stmt.value, Lit)


def mentions(loop: For, var: Var) -> list[Stmt]:
    """The statements below that have to do with a variable."""
    return [
        s
        for s in walk(loop.body)
        if any(v == var for e in exprs_of(s) for v in variables(e))
        or (isinstance(s, (Let, Set, Accumulate)) and s.var == var)
    ]
