"""Consecutive branches on the same condition merged into one.

>>> from tests.before_after import after
>>> after('''
... def f(x, c):
...     if c:
...         y = x * x
...     else:
...         y = x
...     if c:
...         x_bar = 2 * x * y
...     else:
...         x_bar = y
...     return x_bar
... ''', "x: float, c: bool", merge)
def f(x, c):
    if c:
        y = x * x
        x_bar = 2 * x * y
        return x_bar
    return x

The adjoint of an ``if`` is a second ``if`` on the same condition: merged, its values need not be carried
out of the first branch and into the second.
"""

from __future__ import annotations

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import adds_to_first  # fmt: skip
from ...analyses.control_flow.execution_order import keeps
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    If,
    Operand,
    Value,
    map_operand,
    replace_values,
    values_in,
    values_read,
    walk,
)

__all__ = ["merge"]


def merge(function: Function) -> Function:
    """Merge, in place, branches that follow each other."""
    visit(function.body)
    return function


def visit(block: Block) -> None:
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
    at = 0
    while at < len(block.ops):
        first = block.ops[at]
        plain = type(first) is If and not first.expression
        partner = follower(block, at) if plain else None
        if partner is None:
            at += 1
        else:
            join(block, at, partner)


def follower(block: Block, at: int) -> int | None:
    """The next branch on the same condition, if all that stands between can stand before."""
    first = block.ops[at]
    assert isinstance(first, If)
    blocked = set(first.results)
    for k in range(at + 1, len(block.ops)):
        op = block.ops[k]
        if type(op) is If and op.cond is first.cond and not op.expression:
            return k if isinstance(op.cond, Value) else None
        reads = [*values_read(op), *(v for b in op.blocks for v in deep_reads(b))]
        if not isinstance(op, Apply) or keeps(op) or is_memory(op) or blocked & set(reads):
            return None
    return None


def deep_reads(block: Block) -> list[Value]:
    found = [v for op in walk(block) for v in values_read(op)]
    return [*found, *values_in(block.yields)]


def is_memory(op: Apply) -> bool:
    """Writes in place, and reads of what is written, stay in their order."""
    return adds_to_first(op) or op.fn is linear.copy or "out" in op.kwargs


def join(block: Block, at: int, partner: int) -> None:
    first, second = block.ops[at], block.ops[partner]
    assert isinstance(first, If)
    assert isinstance(second, If)
    for mine, other in ((first.then, second.then), (first.orelse, second.orelse)):
        table: dict[Value, Operand] = dict(zip(first.results, mine.yields, strict=True))

        def change(v: Value | Const, table: dict[Value, Operand] = table) -> Operand:
            return table.get(v, v) if isinstance(v, Value) else v

        replace_values(other, change)
        mine.ops += other.ops
        mine.yields += [map_operand(y, change) for y in other.yields]
    first.results += second.results
    between = block.ops[at + 1 : partner]
    block.ops[at : partner + 1] = [*between, first]
