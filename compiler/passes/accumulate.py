"""Sums of adjoints in place, where the memory is ours and nobody looks at the old sum again.

::

    u_bar = u_bar + row * c          ->    u_bar += row * c

Only in programs that write to arrays: there it is known which values share memory.
"""

from __future__ import annotations

import operator

from retrograd.runtime import linear

from ..analyses.sharing import shares_of
from ..analyses.timeline import Timeline, Write, has_writes
from ..ir import Apply, Block, Function, Op, Value, walk
from ..types import Array
from .ownership import Ownership
from .repair import Repair

__all__ = ["accumulate"]

SUMS = (operator.add, operator.sub)


def accumulate(function: Function) -> Function:
    """Turn, in place, sums that may be added into their first term."""
    if not any(has_writes(op) for op in walk(function.body)):
        return function
    ownership = Ownership(function)
    found = [(block, op) for block, op in ownership.walk(function.body) if is_sum(op)]
    if not found:
        return function
    time = Timeline().run(function)
    repair = Repair(function, shares_of(function), time)
    for block, op in found:
        assert isinstance(op, Apply)
        if is_ours(block, op, ownership) and is_last_look(op, repair, time):
            add_into(block, op)
    return function


def add_into(block: Block, op: Apply) -> None:
    """``a + c`` becomes the writing of it into ``a``."""
    a, c = op.args
    if op.fn is operator.sub:
        minus = Value(None, c.type if isinstance(c, Value) else None)
        minus.made = True
        block.ops.insert(block.ops.index(op), Apply([minus], op.loc, operator.neg, (c,)))
        c = minus
    op.fn, op.args = linear.increase, (a, (), c)


def is_sum(op: Op) -> bool:
    """Whether an operation of the derivative adds to an array of the type of the sum."""
    if not isinstance(op, Apply) or op.fn not in SUMS or not op.result.made:
        return False
    a, kind = op.args[0], op.result.type
    if not (isinstance(a, Value) and a.made and isinstance(kind, Array) and a.type == kind):
        return False
    return kind.dtype is not None and bool(kind.dims) and None not in (kind.dims or (None,))


def is_ours(block: Block, op: Apply, ownership: Ownership) -> bool:
    ownership.seen = set()
    return ownership.foreign(block, op, 0) is None


def is_last_look(op: Apply, repair: Repair, time: Timeline) -> bool:
    """Whether nothing that shares memory with the first term is read after the sum."""
    a = op.args[0]
    clock, path = time.made[op.result]
    if any(x is a for x in op.args[1:]):
        return False
    write = Write(op, a, clock, path)
    return not any(repair.spoilt(write)) and not repair.is_kept(a)
