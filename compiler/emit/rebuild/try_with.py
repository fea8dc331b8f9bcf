"""``try`` and ``with`` as statements."""

from __future__ import annotations

import ast
from typing import Any

from ...analyses.raised_exceptions import hides_refusals
from ...ir.operations import Block, Const, Op, Operand, Try, Value, With
from .expressions import dotted
from .loops import LoopWriter
from .statement_nodes import Statements, leaves_region

__all__ = ["GuardWriter"]


class GuardWriter(LoopWriter):
    """Writes ``Try`` and ``With``; the class below this one writes everything else."""

    def side(self, op: Try | With, block: Block) -> Statements:
        quoted = self.quoted

        def end(finals: list[Operand]) -> Statements:
            return self.copies(op.results, finals)

        body = self.block(block, end)
        for at, statement in enumerate(body):
            if leaves_region([statement]):
                body = body[: at + 1]  # what follows a `raise` is never reached
                break
        self.quoted = quoted
        return body or [ast.Pass()]

    def attempt(self, op: Try) -> Statements:
        body, handler = self.side(op, op.body), self.side(op, op.handler)
        kinds = None if is_bare(op.cond) else self.operand(op.cond)
        name = self.name_in(op.handler)
        clauses: list[Any] = [ast.ExceptHandler(kinds, name, handler)]
        if hides_refusals(op):
            self.roots["rt"] = None
            clauses.insert(0, ast.ExceptHandler(dotted("rt.RetrogradError"), None, [ast.Raise()]))
        return [self.commented(ast.Try(body, clauses, [], []), op)]

    def within(self, op: With) -> Statements:
        name = self.name_in(op.then)
        target = ast.Name(name, ast.Store()) if name else None
        items = [ast.withitem(self.operand(op.cond), target)]
        body = self.side(op, op.then)
        if len(body) == 1 and isinstance(body[0], ast.With):
            items, body = [*items, *body[0].items], body[0].body
        return [self.commented(ast.With(items, body), op)]

    def name_in(self, block: Block) -> str | None:
        """The name that the block's parameter has, if it is read."""
        used: list[Value] = [p for p in block.params if self.nesting.uses[p]]
        return self.names[used[0]] if used else None


def is_bare(kinds: Operand) -> bool:
    return isinstance(kinds, Const) and kinds.value is None


def is_guarded(op: Op) -> bool:
    return isinstance(op, (Try, With))
