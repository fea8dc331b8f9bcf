"""How wide the text of an operation is, before its values have names: what the printer will print, measured."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping

from ...analyses.aliasing.memory_facts import is_written
from ...ir.operations import Apply, Function, Op, Operand, Value, values_in
from ...ir.primitives import ASSERT, RAISE, RENAMED, UNPACK
from ..printer.printer import width
from .expressions import ExpressionWriter, load
from .likely_names import LikelyNames
from .variable_names import Names

__all__ = ["NEVER", "Widths"]

NEVER = (RAISE, ASSERT, UNPACK, RENAMED)  # statements of their own kind


class Likely(dict[Value, str]):
    """The names that values will probably have."""

    def __init__(self, likely: LikelyNames) -> None:
        super().__init__()
        self.likely = likely

    def __missing__(self, v: Value) -> str:
        return self.setdefault(v, self.likely.of([v]))


class Known(dict[Value, str]):
    """The names that values have; those of values that have none yet are likely."""

    def __init__(self, names: Names, likely: Mapping[Value, str]) -> None:
        super().__init__()
        self.found, self.likely = names, likely

    def __missing__(self, v: Value) -> str:
        known = self.found.get(v)
        return self.setdefault(v, self.likely[v] if known is None else known)


class Widths(ExpressionWriter):
    """Columns of expressions and statements, with every nested value in its place."""

    def __init__(self, likely: LikelyNames, callees: Mapping[Function, str]) -> None:
        super().__init__(Likely(likely), None)  # what is nested is told by who decides it
        self.callees, self.defs = callees, likely.defs
        self.trees: dict[Op, ast.expr] = {}
        self.known: dict[Op, int] = {}

    def of(self, op: Op) -> int:
        """The columns of the expression that an operation is."""
        if op not in self.known:
            self.known[op] = width(self.expression(op))
        return self.known[op]

    def of_operand(self, operand: Operand) -> int:
        return width(self.operand(operand))

    def of_statement(self, op: Apply) -> int:
        """The columns of the statement ``x = ...``, ``x[i] = ...``, ``x += ...``."""
        if op.fn in NEVER or not op.results:
            return 0
        if not is_written(op):
            return len(self.names[op.result]) + 3 + self.of(op)
        first, *path, value = op.args
        places = [self.of_operand(v) + 2 for v in values_in(path)]
        return len(self.name_of_buffer(first)) + sum(places) + 4 + self.of_amount(value)

    def name_of_buffer(self, x: Operand) -> str:
        """The name of the array that the first of several writes is to."""
        while isinstance(x, Value) and (op := self.defs.get(x)) is not None:
            if not (isinstance(op, Apply) and is_written(op)):
                break
            x = op.args[0]
        return self.names[x] if isinstance(x, Value) else ""

    def of_amount(self, value: Operand) -> int:
        """``+= -v`` is ``-= v``."""
        inner = self.nesting.ops.get(value) if value in self.nesting.nested else None
        if isinstance(inner, Apply) and inner.fn is operator.neg:
            value = inner.args[0]
        return self.of_operand(value)

    def forget(self) -> None:
        """Something is no longer nested."""
        self.trees.clear()
        self.known.clear()

    def are_right(self, names: Names) -> bool:
        """True if all lines fit that were to fit, with the names that the values have; else they are noted."""
        self.forget()
        self.names = Known(names, self.names)
        fits: bool = self.nesting.are_lines()
        return fits

    def callee(self, function: Function) -> str:
        return self.callees.get(function, function.name)

    def operand(self, operand: Operand) -> ast.expr:
        if isinstance(operand, Value) and operand not in self.nesting.nested:
            return load(self.names[operand])  # nobody asks for more than its width
        return super().operand(operand)

    def expression(self, op: Op) -> ast.expr:
        if op not in self.trees:
            self.trees[op] = super().expression(op)
        return self.trees[op]
