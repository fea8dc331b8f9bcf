"""Lists that a loop has made, and that others read in order: they need not lie together."""

from __future__ import annotations

import builtins
import operator

from ....ir.operations import (
    Apply,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)

__all__ = ["held_stacks", "read_in_order"]

NONE = Const(None)


def read_in_order(function: Function) -> None:
    """``for k in range(len(xs)): x = xs[k]`` goes over the list, where examples may part in the loop that made it."""
    loops = [op for op in walk(function.body) if isinstance(op, Loop)]
    made = {s for op in loops if op.cond is not None or op.stops for s in op.stacks}
    lengths = {
        op.result: op.args[0]
        for op in walk(function.body)
        if isinstance(op, Apply) and op.fn is builtins.len and op.args[0] in made
    }
    for op in loops:
        low, high, step = op.bounds or (NONE, NONE, NONE)
        stack = lengths.get(high) if isinstance(high, Value) else None
        if stack is None or not is_number(low, 0) or not is_number(step, 1):
            continue
        for read in [o for o in op.body.ops if reads_item(o, stack, op.index)]:
            op.body.ops.remove(read)
            op.feed(stack, op.backwards, read.results[0])


def reads_item(op: Op, stack: Value, index: Value | None) -> bool:
    return isinstance(op, Apply) and op.fn is operator.getitem and op.args == (stack, index)


def held_stacks(function: Function) -> set[Value]:
    """The values that anything reads, but for the stacks that loops go over, and the lengths where these end."""
    held = set(values_in(function.body.yields))
    lengths: dict[Value, Value] = {}
    for op in walk(function.body):
        if isinstance(op, Apply) and op.fn is builtins.len and isinstance(op.args[0], Value):
            lengths[op.result] = op.args[0]
        else:
            held.update(values_in(other_operands(op, lengths)))
        held.update(v for region in op.blocks for v in values_in(region.yields))
    return held


def other_operands(op: Op, lengths: dict[Value, Value]) -> list[Operand]:
    """What an operation reads, but for the stacks that a loop goes over, and their length."""
    if not isinstance(op, Loop):
        return operands_of(op)
    low, high, step = op.bounds or (NONE, NONE, NONE)
    whole = is_number(low, 0) and is_number(step, 1)
    if whole and isinstance(high, Value) and lengths.get(high) in [stack for stack, _ in op.feeds]:
        high = NONE
    return [*op.inits, low, high, step, *op.starts.values()]


def is_number(x: Operand, n: int) -> bool:
    return isinstance(x, Const) and type(x.value) is int and x.value == n
