"""Derivatives of ``try`` and ``with``: those of the path that ran.

An operation of the derivative must not decide which path that is, so none stands inside the
``try``: tangents and adjoints follow in a branch on which side ran to its end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.tape import calls

from ..ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Op,
    Operand,
    Try,
    Value,
    With,
    bodies_called,
    reachable,
    replace_values,
    values_in,
    values_read,
    walk,
)
from ..ir.primitives import ASSERT, RAISE
from ..simplify.builder import Builder, clone_function, clone_op
from .residuals.residuals import expose_branch

__all__ = ["GuardedForward", "GuardedReverse"]

QUIET = ("ignore", "warn")


def raises(block: Block) -> bool:
    """True if a region ends in a ``raise``."""
    last = block.ops[-1] if block.ops else None
    return isinstance(last, Apply) and last.fn is RAISE


class GuardedReverse:
    """The adjoints of ``Try`` and ``With``."""

    if TYPE_CHECKING:
        b: Any
        branch: Any
        mirrors: dict[Op, Op]

    def attempt(self, op: Try) -> None:
        """A branch on the side that ran; a handler that raises has no adjoint."""
        if raises(op.handler):
            return self.branch(If(op.results, op.loc, Const(False), op.then, op.orelse))  # type: ignore[no-any-return]
        flag, caught = op.flag()
        first, second = (op.handler, op.body) if caught else (op.body, op.handler)
        self.branch(If(op.results, op.loc, flag, first, second))

    def within(self, op: With) -> None:
        """The adjoint of the body, where floating-point warnings are as they were in it."""
        ops = self.b.block.ops
        manager = self.quiet_again(op)
        before = len(ops)
        self.branch(If(op.results, op.loc, Const(True), op.then, op.orelse))
        made = ops[-1] if len(ops) > before else None
        if manager is None or not isinstance(made, If):
            return
        again = With(made.results, op.loc, manager, made.then, made.orelse)
        again.orelse.ops, again.orelse.yields = [], [UNDEFINED for _ in made.results]
        ops[-1] = again
        self.mirrors[again] = self.mirrors.pop(made)

    def quiet_again(self, op: With) -> Value | None:
        """A second ``np.errstate`` like the first, if it cannot raise."""
        made = self.b.defs.get(op.cond) if isinstance(op.cond, Value) else None
        if made is None or made.fn is not np.errstate or made.args:
            return None
        values = list(made.kwargs.values())
        if not all(isinstance(v, Const) and v.value in QUIET for v in values):
            return None
        return self.b.emit(np.errstate, **made.kwargs)  # type: ignore[no-any-return]


class GuardedForward:
    """The tangents of ``Try``; those of a ``With`` stand inside it."""

    if TYPE_CHECKING:
        b: Builder
        activity: Any
        block: Callable[[Block], list[Op]]
        dots: dict[Value, Operand]
        end: Any
        is_partial: Any

    def attempt(self, op: Try) -> None:
        """The ``try`` as it is, then the tangents of the side that ran.

        Loops and calls are run again with their tangents; what else the tangents read is kept.
        """
        if not any(map(self.activity, self.made_in(op))):
            self.b.append(op)
            return
        table: dict[Value, Operand] = {}
        primal = clone_op(op, table)
        assert isinstance(primal, Try)
        primal.results = list(op.results)
        primal.caught = op.caught
        ends = []
        for block in (op.then, op.orelse):
            block.ops = self.block(block)
            ends.append(list(block.yields))
        made = If([], op.loc, Const(False), Block([], op.then.ops), Block([], op.orelse.ops))
        for k, result in enumerate(list(op.results)):
            if self.activity(result) or self.is_partial(result, [ends[0][k], ends[1][k]]):
                dot = Value(f"{result.hint}_dot" if result.hint else None, result.type, op.loc)
                for block, end in zip((made.then, made.orelse), ends, strict=True):
                    block.yields.append(self.end(block, end[k]))
                made.results.append(dot)
                self.dots[result] = dot
        self.b.append(primal)
        self.kept(made, primal, op, table)
        if not raises(primal.handler):
            made.cond, caught = primal.flag()
            if not caught:
                made.then, made.orelse = made.orelse, made.then
            return self.b.append(made)  # type: ignore[no-any-return]
        for inner in made.orelse.ops:
            self.b.append(inner)
        table = dict(zip(made.results, made.orelse.yields, strict=True))
        self.dots.update({r: table[d] for r, d in self.dots.items() if d in table})
        return None

    def made_in(self, op: Try) -> list[Value]:
        inner = [r for block in op.blocks for o in walk(block) for r in o.results]
        return [*inner, *op.results]

    def kept(self, made: If, primal: Try, op: Try, table: dict[Value, Operand]) -> None:
        """Reads from the ``try`` what it computed itself, rather than compute it again."""
        params = {*op.then.params, *op.orelse.params}
        for block in (made.then, made.orelse):
            managers = {o.cond for o in block.ops if isinstance(o, With)}
            own = [o for o in block.ops if isinstance(o, Apply) and o.results[0] in table]
            own = [o for o in own if o.results[0] not in managers]
            caught = {p: table[p] for p in params if p in table}
            changes = caught | {r: table[r] for o in own for r in o.results if r in table}
            # A call that was not compiled gives its result together with its tangent.
            block.ops = [o for o in block.ops if o not in own or not changes.keys() >= {*o.results}]
            replace_values(block, functools.partial(replaced, changes))
            Silence(raises=any(map(tries, [block, *bodies_called(block)]))).block(block)
        expose_branch(made, primal)


def replaced(changes: dict[Value, Operand], v: Any) -> Any:
    return changes.get(v, v) if isinstance(v, Value) else v


class Silence:
    """Leaves out, of what runs again, the prints and managers: they are in the ``try``.

    ``raises``: what is raised stays, since another ``try`` asks for it.  Elsewhere nothing was.
    """

    def __init__(self, raises: bool) -> None:
        self.raises = raises
        self.known: dict[Function, Function] = {}

    def block(self, block: Block) -> None:
        self.drop(block)
        self.drop(block)  # what only the dropped ones read
        for op in walk(block):
            if isinstance(op, Call):
                op.callee = self.silent(op.callee)

    def drop(self, block: Block) -> None:
        read = {v for o in walk(block) for v in values_read(o)} | set(values_in(block.yields))
        read |= {v for o in walk(block) for inner in o.blocks for v in values_in(inner.yields)}
        for inner in [block, *(i for o in walk(block) for i in o.blocks)]:
            inner.ops = [o for o in inner.ops if not self.is_said(o, read)]
            for op in inner.ops:
                if isinstance(op, Apply) and op.fn in (calls.pushed, calls.taped):
                    op.kwargs["again"] = Const(True)

    def silent(self, function: Function) -> Function:
        """A function without its effects; itself, if it has none (or is being derived: it recurs)."""
        if function not in self.known and any(speaks(f) for f in reachable(function)):
            copy = self.known[function] = clone_function(function, {})
            self.block(copy.body)
        return self.known.get(function, function)

    def is_said(self, op: Op, read: set[Value]) -> bool:
        if not isinstance(op, Apply) or not op.effect or read.intersection(op.results):
            return False
        return not (self.raises and op.fn in (RAISE, ASSERT))


def tries(block: Block) -> bool:
    return any(isinstance(op, Try) for op in walk(block))


def speaks(function: Function) -> bool:
    return any(isinstance(op, Apply) and op.effect for op in walk(function.body))
