"""Statements of the loop IR again, under other names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import replace

from ..refusal import Unsupported
from .ir import (
    Accumulate,
    Alloc,
    Bail,
    For,
    If,
    Let,
    Opaque,
    Set,
    Stmt,
    Store,
    Var,
    While,
    change_exprs,
    variables,
    walk,
)

__all__ = ["copies"]


def copies(stmts: list[Stmt], values: dict[Var, Any], fresh: Callable[[Var], Var]) -> list[Stmt]:
    """Statements again, with values for some variables, and other names for those of their own."""
    values = dict(values)
    for s in walk(stmts):
        if isinstance(s, (Let, Set, For)) and s.var not in values:
            values[s.var] = fresh(s.var)
    if any(isinstance(s, Alloc) and renamed(s, values) for s in walk(stmts)):
        raise Unsupported("memory whose size changes in a loop that is written out")
    made = [copy_of(s, values) for s in stmts]
    change_exprs(made, lambda e: values.get(e, e) if isinstance(e, Var) else e)
    return made


def renamed(alloc: Alloc, values: dict[Var, Any]) -> bool:
    """True if copies of an allocation would differ in size, where there is one buffer."""
    return any(values.get(v, v) != v for n in alloc.buffer.dims for v in variables(n))


def copy_of(s: Stmt, values: dict[Var, Any]) -> Stmt:
    def block(stmts: list[Stmt]) -> list[Stmt]:
        return [copy_of(t, values) for t in stmts]

    if isinstance(s, (Let, Set)):
        return type(s)(values[s.var], s.value)
    if isinstance(s, Accumulate):
        return Accumulate(values.get(s.var, s.var), s.op, s.value)
    if isinstance(s, Store):
        return Store(s.buffer, s.index, s.value, s.op)
    if isinstance(s, If):
        return If(s.cond, block(s.then), block(s.orelse))
    if isinstance(s, While):
        return While(block(s.body))
    if isinstance(s, For):
        return For(values[s.var], s.lo, s.hi, block(s.body), s.backwards, s.free)
    if isinstance(s, (Alloc, Opaque)):
        return replace(s)
    return Bail(s.cond) if isinstance(s, Bail) else type(s)()
