"""Choices in C whose sides read memory: both sides are read first, then one of them is chosen.

``c ? x[3 * i] : 0`` beside ``d ? x[3 * i + 1] : 0`` and a third is vectorised by gcc 11 and 12 with one mask for all three
loads, that of the first: wrong numbers.  What is read without a condition needs no mask, and is quicker.
An element of the loop IR that is chosen is inside of its array, whatever the condition is.
"""

from __future__ import annotations

from typing import Any

from ..c_text.statements import Statements
from ..loop_ir.ir import Get, Op, subexpressions
from ..loop_ir.operation_traits import scalar_operation
from ..loop_ir.storage import TYPES

__all__ = ["SELECTIONS", "Choices", "may_be_computed"]

SELECTIONS = "\n".join(
    f"static inline {kind} rg_where_{dtype}(int c, {kind} a, {kind} b) {{ return c ? a : b; }}"
    for dtype, kind in TYPES.items()
)
BITS = {"logical_and": "&", "logical_or": "|"}


class Choices(Statements):
    """The text of an expression, its choices as functions where they read memory."""

    def operation(self, e: Op) -> str:
        if e.name == "where" and may_be_computed(e.args[1:]):
            args = ", ".join(self.expression(a) for a in e.args)
            return f"rg_where_{e.dtype}({args})"
        if e.name in BITS and may_be_computed(e.args[1:]):
            one, other = map(self.bit, e.args)
            return f"({one} {BITS[e.name]} {other})"
        return super().operation(e)

    def bit(self, e: Any) -> str:
        """A condition as 0 or 1."""
        text = self.expression(e)
        known = isinstance(e, Op) and e.dtype == "b1" and scalar_operation(e.name).infix
        return text if known else f"({text} != 0)"


def may_be_computed(sides: tuple[Any, ...]) -> bool:
    """True if something is read in expressions that may be computed though nobody asks for them."""
    parts = [part for side in sides for part in subexpressions(side)]
    whole = [p for p in parts if isinstance(p, Op) and p.dtype == "i8"]
    stops = any(scalar_operation(p.name).partial for p in whole)
    return not stops and any(isinstance(p, Get) for p in parts)
