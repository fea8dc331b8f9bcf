"""Recognise a loop-carried sum passed through several names: ``s = v + a; s += b; v = s`` adds to ``v``.

What comes out at the end is ``v`` and something that does not depend on ``v``, in all branches.  So
``v`` is zero at the beginning of an iteration, and gets at the end what has come in.  In the same
way a flag that every iteration keeps or takes away is a product.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from ...loop_ir.ir import (
    Accumulate,
    Break,
    Continue,
    For,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    change_exprs,
    exprs_of,
    variables,
    walk,
)
from ...loop_ir.operation_traits import scalar_operation
from ...loop_ir.values import result_variables
from ..loops.thread_sharing import mentioned

__all__ = ["handed_sums"]


def handed_sums(kernel: Kernel) -> Kernel:
    """Write such sums as additions, in all loops."""
    uses = Counter(v.name for v in result_variables(kernel.results))
    for stmt in walk(kernel.body):
        uses.update(mentioned(stmt))
    for stmt in walk(kernel.body):
        if isinstance(stmt, For) and not any(
            isinstance(s, (Break, Continue, While)) for s in walk(stmt.body)
        ):
            for last in [s for s in stmt.body if isinstance(s, Set) and isinstance(s.value, Var)]:
                hand_over(stmt, last, uses)
    return kernel


def hand_over(loop: For, last: Set, uses: Counter[Any]) -> None:
    """If ``last`` ends a sum of ``loop``, let it add what came in this iteration."""
    var, at = last.var, loop.body.index(last)
    op = "add" if var.dtype[0] == "f" else "multiply"
    before, after = loop.body[:at], loop.body[at + 1 :]
    if (
        var.dtype == "i8"
        or any(var.name in mentioned(s) for s in walk(after))
        or is_set(var, before)
    ):
        return
    here: Counter[Any] = Counter()
    for s in walk(loop.body):
        here.update(mentioned(s))
    found = Following(var, op)
    if not found.block(before) or last.value not in found.carrying:
        return
    if any(uses[v.name] > here[v.name] for v in found.ever - {var}):
        return
    if any(v in found.ever - {var} for s in walk(after) for e in exprs_of(s) for v in variables(e)):
        return
    change_exprs(
        before, partial(without, var, Lit(int(scalar_operation(op).identity or 0), var.dtype))
    )
    loop.body[at] = Accumulate(var, op, last.value)


def without(var: Var, neutral: Lit, e: Any) -> Any:
    """An expression that begins with nothing in place of ``var``."""
    if e == var:
        return neutral
    if not isinstance(e, Op) or not any(a is neutral for a in e.args):
        return e
    a, b = e.args
    if e.name == "subtract":
        return Op("negative", (b,), e.dtype)
    return b if a is neutral else a


def is_set(var: Var, stmts: list[Stmt]) -> bool:
    return any(isinstance(s, (Set, Accumulate)) and s.var == var for s in walk(stmts))


class Following:
    """Which variables are ``var`` and something more, from statement to statement.

    ``op`` is "add" for numbers; for flags it is "multiply": they are ``var``, or false.
    """

    def __init__(self, var: Var, op: str) -> None:
        self.var, self.op = var, op
        self.carrying = {var}  # now
        self.ever = {var}
        self.early: set[Var] = set()  # read before they are given a value
        self.given: set[Var] = set()

    def block(self, stmts: list[Stmt]) -> bool:
        """Follow statements; whether ``var`` comes into nothing else."""
        return all(map(self.statement, stmts)) and not self.early & (self.ever - {self.var})

    def statement(self, s: Stmt) -> bool:
        read = {v for e in exprs_of(s) for v in variables(e)}
        self.early |= read - self.given
        if isinstance(s, (Let, Set)):
            return self.gives(s)
        if read & self.carrying:
            return False
        if isinstance(s, If):
            return self.branches(s)
        if isinstance(s, For):
            before, given = set(self.carrying), set(self.given)
            followed = self.block(s.body) and self.carrying == before
            self.given = given  # there may be no iteration
            return followed
        return (
            not isinstance(s, Accumulate) or s.var not in self.carrying or s.op == self.op == "add"
        )

    def gives(self, s: Let | Set) -> bool:
        kind = self.kind(s.value)
        if kind is None:
            return False
        self.given.add(s.var)
        self.carrying.discard(s.var)
        if kind:
            self.carrying.add(s.var)
            self.ever.add(s.var)
        return True

    def kind(self, e: Any) -> bool | None:
        """True if a value is ``var`` and something more; None if it is anything else made of it."""
        if e in self.carrying:
            return True
        if not any(v in self.carrying for v in variables(e)):
            return False
        if isinstance(e, Op) and e.name in (
            ("add", "subtract") if self.op == "add" else ("logical_and",)
        ):
            sides = [self.kind(a) for a in e.args]
            if sides == [True, False] or (e.name != "subtract" and sides == [False, True]):
                return True
        return None

    def branches(self, s: If) -> bool:
        """A variable has to come out of both sides alike; a flag may be false on one of them."""
        before, given = set(self.carrying), set(self.given)
        if not self.block(s.then):
            return False
        one, given_one = self.carrying, self.given
        self.carrying, self.given = before, given
        if not self.block(s.orelse):
            return False
        self.given &= given_one
        local = {t.var for t in walk([s]) if isinstance(t, Let)}
        mixed = (one ^ self.carrying) - local
        if self.op == "multiply":
            mixed = {v for v in mixed if not is_false(v, s.orelse if v in one else s.then)}
        self.carrying |= one
        return not mixed


def is_false(var: Var, stmts: list[Stmt]) -> bool:
    """True if all that a branch gives a flag is false."""
    given = [s.value for s in walk(stmts) if isinstance(s, Set) and s.var == var]
    return bool(given) and all(v in (Lit(False, "b1"), Lit(0, "b1"), affine(0)) for v in given)
