"""Inlining of helpers that are one ``return`` of a short expression.

>>> from tests.before_after import after
>>> after('''
... def square(x):
...     return x * x
...
... def f(a, b):
...     return square(a) + square(b)
... ''', "a: float, b: float", inline)
def f(a, b):
    return a * a + b * b

A call costs more than a few multiplications, and its derivative would be two more functions.
"""

from __future__ import annotations

import gast

from ..analyses.shapes.infer import infer
from ..ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    Op,
    Operand,
    Value,
    map_operand,
    replace_values,
)
from ..ir.primitives import Primitive
from ..ir.types import Array, Type
from .builder import clone_op

__all__ = ["inline"]

LIMIT = 12


def inline(function: Function) -> Function:
    """Replace, in place, calls of short helpers by their bodies; innermost helpers first."""
    inline_within(function, set())
    return function


def inline_within(function: Function, seen: set[Function]) -> None:
    """Each function once: one that calls itself has a branch, and is not short."""
    if function in seen:
        return
    seen.add(function)
    if visit(function.body, function.body, seen):
        sharpen(function.body)


def visit(block: Block, root: Block, seen: set[Function]) -> bool:
    """Inline the calls of a region; whether there were any."""
    kept: list[Op] = []
    found = False
    for op in block.ops:
        for inner in op.blocks:
            found |= visit(inner, root, seen)
        if isinstance(op, Call):
            inline_within(op.callee, seen)
            if is_short(op.callee):
                kept += spliced(op, root)
                found = True
                continue
        kept.append(op)
    block.ops = kept
    return found


def is_short(callee: Function) -> bool:
    """One ``return`` statement, a dozen operations, no control flow, no effects."""
    special = callee.facts.checkpoint or callee.facts.custom is not None
    if special or len(callee.body.ops) > LIMIT:
        return False
    body = callee.source.tree.body if callee.source is not None else []
    statements = [s for s in body if not is_docstring(s)]
    if len(statements) != 1 or not isinstance(statements[0], gast.Return):
        return False
    return all(isinstance(op, Apply) and not op.effect for op in callee.body.ops)


def is_docstring(statement: object) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def spliced(op: Call, root: Block) -> list[Apply]:
    """The callee's operations on the call's arguments, at the line of the call."""
    table: dict[Value, Operand] = dict(zip(op.callee.body.params, op.args, strict=True))
    made = []
    for inner in op.callee.body.ops:
        copy = clone_op(inner, table)
        copy.loc = op.loc
        for result in copy.results:
            result.loc = op.loc
        retyped(copy)
        made.append(copy)
    ends: dict[Value, Operand] = {}
    for result, y in zip(op.results, op.callee.body.yields, strict=True):
        end = map_operand(y, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        if isinstance(end, Value):
            end.hint = end.hint or result.hint
            end.type = end.type if is_sharper(end.type, result.type) else result.type
        ends[result] = end
    replace_values(root, lambda v: ends.get(v, v) if isinstance(v, Value) else v)
    return made  # type: ignore[return-value]


def sharpen(block: Block) -> None:
    """Infer again the sizes that follow from an inlined helper."""
    for op in block.ops:
        for inner in op.blocks:
            sharpen(inner)
        if isinstance(op, Apply) and not isinstance(op.fn, Primitive):
            found = infer(op.fn, op.args, op.kwargs)
            if is_sharper(found, op.result.type):
                op.result.type = found


def is_sharper(a: Type, b: Type) -> bool:
    """True if a type knows every size, and is otherwise the same as one that does not."""
    if not isinstance(a, Array) or not isinstance(b, Array) or a.rank is None:
        return False
    same = (a.dtype, a.kind, a.rank) == (b.dtype, b.kind, b.rank)
    return same and None not in (a.dims or ()) and None in (b.dims or ())


def retyped(op: Op) -> None:
    """The sizes a helper has names for are those of the caller's arrays here."""
    assert isinstance(op, Apply)
    result = op.results[0]
    found = infer(op.fn, op.args, op.kwargs)
    if found is not None:
        result.type = found
    elif isinstance(result.type, Array) and result.type.dims is not None:
        known = tuple(n if isinstance(n, int) else None for n in result.type.dims)
        result.type = result.type.with_dims(known)
