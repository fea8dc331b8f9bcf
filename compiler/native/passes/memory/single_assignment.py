"""Variables that are written once become names for values, which may be computed wherever they are read."""

from __future__ import annotations

from ...loop_ir.ir import (
    Accumulate,
    Break,
    Continue,
    For,
    If,
    Kernel,
    Let,
    Set,
    Stmt,
    Var,
    While,
    blocks_of,
    exprs_of,
    variables,
    walk,
)
from ...loop_ir.values import result_variables

__all__ = ["named_once"]


def named_once(kernel: Kernel) -> Kernel:
    """Take out values that nobody reads, and call the others by names."""
    results = {v.name for v in result_variables(kernel.results)}
    overwritten(kernel.body)
    in_block(kernel.body, Counts(kernel.body), results)
    return kernel


class Counts:
    """How often each variable is written and read, anywhere in a kernel."""

    def __init__(self, stmts: list[Stmt]) -> None:
        self.writes: dict[str, int] = {}
        self.reads: dict[str, int] = {}
        for s in walk(stmts):
            for name in read_by(s):
                self.reads[name] = self.reads.get(name, 0) + 1
            if isinstance(s, (Set, Accumulate)):
                self.writes[s.var.name] = self.writes.get(s.var.name, 0) + 1


def read_by(s: Stmt) -> list[str]:
    return [v.name for e in exprs_of(s) for v in variables(e)]


def overwritten(stmts: list[Stmt]) -> None:
    """Take out what is set once more before anybody reads it."""
    for s in list(stmts):
        for block in blocks_of(s):
            overwritten(block)
        if isinstance(s, Set) and is_set_again(s.var, stmts[stmts.index(s) + 1 :]):
            stmts.remove(s)


def is_set_again(var: Var, rest: list[Stmt]) -> bool:
    for s in rest:
        if isinstance(s, (For, While, If, Break, Continue)):
            inside = list(walk([s]))
            if any(isinstance(t, (Break, Continue)) for t in inside):
                return False
            if any(var.name in read_by(t) for t in inside) or any(
                isinstance(t, (Set, Accumulate)) and t.var == var for t in inside
            ):
                return False
        elif var.name in read_by(s) or (isinstance(s, Accumulate) and s.var == var):
            return False
        elif isinstance(s, Set) and s.var == var:
            return True
    return False


def in_block(stmts: list[Stmt], counts: Counts, results: set[str]) -> None:
    for k, s in enumerate(stmts):
        for block in blocks_of(s):
            in_block(block, counts, results)
        if not isinstance(s, Set) or counts.writes[s.var.name] != 1 or s.var.name in read_by(s):
            continue
        rest = stmts[k + 1 :]
        below = sum(read_by(t).count(s.var.name) for t in walk(rest))
        if below == counts.reads.get(s.var.name, 0) and s.var.name not in results:
            stmts[k] = Let(s.var, s.value)
