"""Algebraic simplification once more, now that constants have been propagated.

>>> from tests.before_after import after
>>> after('''
... def f(y, n):
...     s_bar = 1.0
...     x_bar = 0.0
...     for k in range(n):
...         x_bar = s_bar * y
...     return x_bar
... ''', "y: float, n: int", fold, derivative=True)
def f(y, n):
    x_bar = 0.0
    for _ in range(n):
        x_bar = y
    return x_bar

Only operations that a transformation wrote are rewritten, never the user's own arithmetic.  The type of an
operand may be known by now that was not known before.
"""

from __future__ import annotations

from retrograd.runtime.helpers import linear

from ...ir.lattice import meet
from ...ir.operations import (
    Apply,
    Block,
    Function,
    Operand,
    Value,
    replace_values,
    set_operands,
    values_in,
    values_read,
)
from ...ir.primitives import Primitive
from ...simplify.builder import Builder

__all__ = ["fold"]


def fold(function: Function) -> Function:
    """Simplify, in place, the operations that were made; a returned zero keeps its type."""
    table: dict[Value, Operand] = {}
    b = Builder(Block(), may_be_complex=True, shown=function.body.params)
    kept = {
        op.result
        for op in function.body.ops
        if isinstance(op, Apply) and op.fn is linear.zeros_like
    }
    visit(function.body, b, table, kept.intersection(values_in(function.body.yields)))
    if table:
        replace_values(function.body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return function


def visit(block: Block, outer: Builder, table: dict[Value, Operand], kept: set[Value]) -> None:
    b = outer.within(Block())
    for op in block.ops:
        if table:
            set_operands(op, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        for inner in op.blocks:
            visit(inner, b, table, kept)
        if isinstance(op, Apply) and may_change(op) and op.result not in kept:
            again(op, b, table)
        else:
            b.append(op)
            if isinstance(op, Apply):
                b.defs.update((r, op) for r in op.results)
    block.ops = b.block.ops


def may_change(op: Apply) -> bool:
    return (
        op.result.made
        and not op.result.exact
        and not op.effect
        and not isinstance(op.fn, Primitive)
    )


def again(op: Apply, b: Builder, table: dict[Value, Operand]) -> None:
    """The operation, or what it simplifies to now."""
    b.loc = op.loc
    result = b.apply(op.fn, *op.args, **op.kwargs)
    made = b.defs.get(result) if isinstance(result, Value) else None
    if (
        made is not None
        and b.block.ops
        and b.block.ops[-1] is made
        and made.fn is op.fn
        and same(made, op)
    ):
        b.block.ops[-1] = op
        del b.defs[result]  # type: ignore[arg-type]
        b.defs[op.result] = op
        op.result.type = meet(op.result.type, result.type)  # type: ignore[union-attr]
        return
    if isinstance(result, Value) and result.made and result.hint is None and result.bar is None:
        result.hint, result.bar, result.soft = op.result.hint, op.result.bar, op.result.soft
    table[op.result] = result


def same(made: Apply, op: Apply) -> bool:
    return list(values_read(made)) == list(values_read(op))
