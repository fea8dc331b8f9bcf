"""Common subexpression elimination, within a region and those around it.

>>> from tests.before_after import after
>>> after('''
... def f(x, y):
...     a = np.exp(x) * y
...     b = np.exp(x) + 1
...     return a, b
... ''', "x: float, y: float", share)
def f(x, y):
    exp_x = np.exp(x)
    a = exp_x * y
    b = exp_x + 1
    return a, b
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.rules.book import book

from ...analyses.aliasing.buffers import MEMORY, buffers_of, written_over
from ...analyses.aliasing.views_and_copies import may_be_memory
from ...ir.operand_key import key
from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Function,
    If,
    Loop,
    Operand,
    Value,
    replace_values,
    set_operands,
    values_in,
)
from ...ir.primitives import BUNDLE, Primitive

__all__ = ["share", "shared"]


def share(function: Function) -> Function:
    """Replace, in place, repeated pure operations by their first result."""
    shared(function)
    return function


def shared(function: Function) -> bool:
    """The same; whether there were any."""
    table: dict[Value, Operand] = {}
    buffers = buffers_of(function.body) | written_over(function.body)
    given = {v for v in values_in(function.body.yields) if may_be_memory(v)}
    visit(function.body, {}, table, buffers, given)
    if table:
        replace_values(function.body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return bool(table)


def visit(
    block: Block,
    seen: dict[Any, Value],
    table: dict[Value, Operand],
    buffers: set[Value],
    given: set[Value],
) -> None:
    """``given``: the arrays that are returned: two of them stay two, as either may be written to."""
    kept = []
    for op in block.ops:
        if table:
            set_operands(op, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        if isinstance(op, Apply) and is_pure(op) and op.result not in buffers:
            key = key_of(op)
            if key in seen and not {seen[key], op.result} <= given:
                merge(seen[key], op.result)
                table[op.result] = seen[key]
                continue
            seen.setdefault(key, op.result)
        elif isinstance(op, If):
            visit(op.then, dict(seen), table, buffers, given)
            visit(op.orelse, dict(seen), table, buffers, given)
        elif isinstance(op, Loop):
            if op.cond is not None:
                visit(op.cond, dict(seen), table, buffers, given)
            share_carried(op, table)
            share_feeds(op, table)
            visit(op.body, dict(seen), table, buffers, given)
            share_stacks(op, table)
        kept.append(op)
    block.ops = kept


def share_carried(op: Loop, table: dict[Value, Operand]) -> None:
    """A value that every iteration carries on as it is, is the one before the loop."""
    for k, (param, init, value) in enumerate(
        zip(op.carried, op.inits, op.body.yields, strict=False)
    ):
        if value is param and (
            isinstance(init, Value) or (isinstance(init, Const) and init is not UNDEFINED)
        ):
            copies = [param, op.results[k], *([op.cond.params[k]] if op.cond is not None else [])]
            table.update(dict.fromkeys(copies, init))


def share_feeds(op: Loop, table: dict[Value, Operand]) -> None:
    """One element for each stack that is read twice in the same direction."""
    known: dict[Any, Value] = {}
    for (stack, flip), element in zip(op.feeds, op.elements, strict=True):
        first = known.setdefault((stack, flip), element)
        if first is not element:
            table[element] = first


def share_stacks(op: Loop, table: dict[Value, Operand]) -> None:
    """One stack for each value that is collected twice."""
    known: dict[Any, Value] = {}
    for value, stack in zip(op.collected(), op.stacks, strict=True):
        value = table.get(value, value) if isinstance(value, Value) else value
        if isinstance(value, Value) and known.setdefault(value, stack) is not stack:
            table[stack] = known[value]


def merge(first: Value, again: Value) -> None:
    """The kept value takes the user's name, if only the dropped one has it, and is as the user wrote it."""
    first.exact = any(v.exact or not v.made for v in (first, again))
    if first.hint is None and first.bar is None:
        first.hint, first.bar = again.hint, again.bar
    elif first.hint is None and again.hint is not None:
        first.hint = again.hint


def is_pure(op: Apply) -> bool:
    if op.fn is BUNDLE:
        return isinstance(op.args[0], tuple)
    if op.effect or isinstance(op.fn, Primitive) or op.fn in MEMORY:
        return False
    return op.fn in book or op.fn in book.constants


def key_of(op: Apply) -> Any:
    named = tuple([(k, key(v)) for k, v in sorted(op.kwargs.items())]) if op.kwargs else ()
    return (op.fn, tuple(map(key, op.args)), named)
