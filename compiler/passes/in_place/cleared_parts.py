"""A part of an adjoint that is cleared, and added to later, is written at once.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(u):
...     u = u.copy()
...     u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
...     return np.sum(u**2)
... ''', "u: f8[n]", unclear)
def f_grad(u):
    # forward
    u = u.copy()
    u_part = u[1:-1]
    u[1:-1] = u_part + 0.1 * (u[2:] - 2 * u_part + u[:-2])
    # backward
    # `return np.sum(u ** 2)`
    u_bar = 2 * u
    # `u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])`
    u_bar[1:-1] = 0.0
    u_bar_2 = u_bar
    add_bar = (0.2 * u)[1:-1]
    u_bar_2[:-2] += add_bar
    getitem_bar = u_bar[1:-1] - (0.4 * u)[1:-1]
    u_bar_2[2:] += add_bar
    u_bar_2[1:-1] += getitem_bar
    return u_bar_2
# becomes
def f_grad(u):
    # forward
    u = u.copy()
    u_part = u[1:-1]
    u[1:-1] = u_part + 0.1 * (u[2:] - 2 * u_part + u[:-2])
    # backward
    # `return np.sum(u ** 2)`
    u_bar = 2 * u
    # `u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])`
    add_bar = (0.2 * u)[1:-1]
    u_bar[1:-1] -= (0.4 * u)[1:-1]
    u_bar[:-2] += add_bar
    u_bar[2:] += add_bar
    return u_bar

What is added to other parts in between is added afterwards: sums do not ask for an order.
"""

from __future__ import annotations

import operator
from collections import Counter

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import may_repeat
from ...ir.operand_key import key
from ...ir.operations import Apply, Block, Const, Function, Op, Value, values_read
from ...ir.types import Array
from ...ir.uses import counted
from ...simplify.operands import is_literal

__all__ = ["unclear"]


def unclear(function: Function) -> Function:
    """Write, in place, what is added to a cleared part where it is cleared."""
    body = function.body
    uses = counted(body)
    visit(body, uses)
    return function


def visit(block: Block, uses: Counter[Value]) -> None:
    readers: dict[Value, Op] = {}
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, uses)
        readers.update((v, op) for v in values_read(op))
    for op in [*block.ops]:
        if is_clearing(op):
            assert isinstance(op, Apply)
            sums = sums_after(op, readers, uses, block)
            at = next((k for k, s in enumerate(sums) if key(s.args[1]) == key(op.args[1])), None)
            if at is not None:
                write_at_once(op, sums[: at + 1], block)


def is_clearing(op: Op) -> bool:
    """True of ``x_bar[1:-1] = 0.0``, of a part that has each place once."""
    if not isinstance(op, Apply) or op.fn is not linear.write or not is_literal(op.args[2], 0):
        return False
    base, path = op.args[0], op.args[1]
    whole = isinstance(base, Value) and isinstance(base.type, Array) and op.result.made
    if not whole or not isinstance(path, tuple) or len(path) != 1:
        return False
    step = path[0]
    keyed = isinstance(step, tuple) and len(step) == 2 and isinstance(step[0], Const)
    return keyed and step[0].value is operator.getitem and not may_repeat(step[1])  # type: ignore[index,union-attr]


def sums_after(
    op: Apply, readers: dict[Value, Op], uses: Counter[Value], block: Block
) -> list[Apply]:
    """What is added to the same array, as long as nothing else reads it."""
    found: list[Apply] = []
    last = op
    while uses[last.result] == 1:
        reader = readers.get(last.result)
        added = isinstance(reader, Apply) and reader.fn is linear.increase
        if not added or reader.args[0] is not last.result or reader not in block.ops:  # type: ignore[union-attr]
            break
        assert isinstance(reader, Apply)
        found.append(reader)
        last = reader
    return found


def write_at_once(clearing: Apply, sums: list[Apply], block: Block) -> None:
    """The last of the sums is what is written; those before it follow."""
    *others, last = sums
    at = block.ops.index(last)
    moved = [clearing, *others]
    block.ops[at : at + 1] = moved
    for op in moved:
        block.ops.remove(op)  # the first of the two
    clearing.args = (*clearing.args[:2], last.args[2])
    clearing.loc = last.loc
    moved[-1].results = [last.result]
