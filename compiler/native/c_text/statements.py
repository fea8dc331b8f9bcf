"""Statements of the loop IR in a language of C's family."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.ir import Accumulate, Break, Continue, For, If, Let, Set, Stmt, Store, While
from ..loop_ir.storage import Declare
from .expressions import Expressions

__all__ = ["Statements"]


class Statements(Expressions):
    """The lines of a statement, as C; another language says otherwise what it has otherwise."""

    def block(self, stmts: list[Stmt]) -> Iterator[str]:
        for stmt in stmts:
            yield from self.statement(stmt)

    def inner(self, stmts: list[Stmt]) -> Iterator[str]:
        return ("    " + line for line in self.block(stmts))

    def statement(self, stmt: Stmt) -> Iterator[str]:
        if isinstance(stmt, Declare):
            yield f"{stmt.var.dtype} {stmt.var.name} = 0;"
        elif isinstance(stmt, Let):
            kind = self.types[stmt.var.dtype]
            yield f"const {kind} {self.variable(stmt.var)} = {self.expression(stmt.value)};"
        elif isinstance(stmt, Set):
            yield f"{self.variable(stmt.var)} = {self.expression(stmt.value)};"
        elif isinstance(stmt, Accumulate):
            yield self.accumulated(self.variable(stmt.var), stmt.op, stmt.value)
        elif isinstance(stmt, Store):
            operator = "+=" if stmt.op == "add" else "="
            place = self.element(stmt.buffer, stmt.index)
            yield f"{place} {operator} {self.expression(stmt.value)};"
        elif isinstance(stmt, For):
            yield from self.loop(stmt)
        elif isinstance(stmt, While):
            yield from ("for (;;) {", *self.inner(stmt.body), "}")
        elif isinstance(stmt, If):
            yield f"if ({self.expression(stmt.cond)}) {{"
            yield from self.inner(stmt.then)
            if stmt.orelse:
                yield from ("} else {", *self.inner(stmt.orelse))
            yield "}"
        elif isinstance(stmt, Break):
            yield "break;"
        elif isinstance(stmt, Continue):
            yield "continue;"
        else:
            yield from self.other(stmt)

    def other(self, stmt: Stmt) -> Iterator[str]:
        """The lines of what only one of the languages has."""
        raise AssertionError(type(stmt).__name__)

    def loop(self, stmt: For) -> Iterator[str]:
        lo, hi, i = self.expression(stmt.lo), self.expression(stmt.hi), self.variable(stmt.var)
        kind = self.types["i8"]
        if stmt.backwards:
            yield f"for ({kind} {i} = {hi} - 1; {i} >= {lo}; {i}--) {{"
        else:
            yield f"for ({kind} {i} = {lo}; {i} < {hi}; {i}++) {{"
        yield from self.inner(stmt.body)
        yield "}"
