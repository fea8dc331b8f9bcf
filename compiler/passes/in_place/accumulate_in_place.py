"""Sums of adjoints accumulated in place, where the memory is ours and the old sum is dead.

>>> from tests.before_after import after
>>> after('''
... def f(x, n):
...     u_bar = np.zeros(x.shape)
...     for i in range(n):
...         u_bar = u_bar + i * x
...     return u_bar
... ''', "x: f8[m], n: int", accumulate, derivative=True)
def f(x, n):
    u_bar = np.zeros(x.shape)
    for i in range(n):
        u_bar += i * x
    return u_bar

In programs that write to arrays, where it is known which values share memory, this applies to every sum; in
others, to what a loop carries from one iteration to the next.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.may_alias import shares_of
from ...analyses.aliasing.read_write_order import Timeline, Write, has_writes
from ...ir.operations import (
    Apply,
    Block,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)
from ...ir.types import Array
from .copy_before_overwrite import Repair
from .ownership import Ownership, in_blocks

__all__ = ["accumulate"]


def accumulate(function: Function) -> Function:
    """Turn, in place, sums that may be added into their first term."""
    if any(has_writes(op) for op in walk(function.body)):
        found = [(block, op) for block, op in in_blocks(function.body) if is_sum(op)]
    else:
        found = list(running_sums(function))
    if not found:
        return function
    ownership = Ownership(function)
    time = Timeline().run(function)
    repair = Repair(function, shares_of(function), time)
    for block, op in found:
        assert isinstance(op, Apply)
        if is_ours(block, op, ownership) and is_last_look(op, repair, time):
            add_into(block, op)
    return function


def running_sums(function: Function) -> Iterator[tuple[Block, Op]]:
    """Sums by which an iteration gives to the next what it was given, and what it adds."""
    for loop in walk(function.body):
        if not isinstance(loop, Loop):
            continue
        for param, end in zip(loop.carried, loop.body.yields, strict=False):
            yield from ((loop.body, op) for op in chain_from(param, end, loop.body))


def chain_from(param: Value, end: Operand, block: Block) -> list[Apply]:
    """The sums from a carried value to what is carried on, each read by the next one only."""
    made = {op.result: op for op in block.ops if isinstance(op, Apply) and is_sum(op)}
    chain: list[Apply] = []
    while end is not param:
        op = made.get(end) if isinstance(end, Value) else None
        if op is None or readers(op.result, block) != 1:
            return []
        chain.insert(0, op)
        end = op.args[0]
    return chain if readers(param, block) == 1 else []


def readers(v: Value, block: Block) -> int:
    """How often a value is read in a block and in its regions, as a yield too."""
    read = [operands_of(op) for op in walk(block)]
    inner = [b.yields for op in walk(block) for b in op.blocks]
    return sum(x is v for x in values_in([*read, *inner, block.yields]))


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
    """True if an operation of the derivative adds to an array of the type of the sum."""
    if not isinstance(op, Apply) or traits_of(op.fn).sign not in ("+", "-") or not op.result.made:
        return False
    a, kind = op.args[0], op.result.type
    if not (isinstance(a, Value) and a.made and isinstance(kind, Array) and a.type == kind):
        return False
    return kind.dtype is not None and bool(kind.dims) and None not in (kind.dims or (None,))


def is_ours(block: Block, op: Op, ownership: Ownership) -> bool:
    ownership.seen = set()
    return ownership.foreign(block, op, 0) is None


def is_last_look(op: Apply, repair: Repair, time: Timeline) -> bool:
    """True if nothing that shares memory with the first term is read after the sum."""
    a = op.args[0]
    clock, path = time.made[op.result]
    if any(x is a for x in op.args[1:]):
        return False
    write = Write(op, a, clock, path)
    return not any(repair.spoilt(write)) and not repair.is_kept(a)
