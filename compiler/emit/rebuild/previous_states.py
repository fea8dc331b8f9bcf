"""A loop that updates a variable keeps its name for it: what it held before gets another one.

    for y in ys:
        x_prev = x
        x = F @ x
        tape.append((x_prev, ...))

Without this the new value would have to go by another name until the old one is read for the last time.
"""

from __future__ import annotations

from ...ir.operations import (
    Apply,
    Block,
    Function,
    Loop,
    Value,
    defined_in,
    read_in,
    replace_values,
    walk,
)
from ...ir.primitives import RENAMED, UNPACK

__all__ = ["name_previous"]


def name_previous(function: Function) -> None:
    """Give the states that outlive their update a name of their own, in place."""
    for op in walk(function.body):
        if isinstance(op, Loop):
            for k in range(len(op.inits)):
                rename(function, op, k)


def rename(function: Function, loop: Loop, k: int) -> None:
    state = loop.carried[k]
    at = first_update(loop, k)
    if at is None or not is_read_after(loop, at, k):
        return
    variable = Value(state.hint, state.type, state.loc)
    variable.made, variable.soft = state.made, state.soft
    loop.body.params[loop.body.params.index(state)] = variable
    replace_values(Block([], loop.body.ops[: at + 1], []), lambda v: variable if v is state else v)
    memory = function.facts.memory
    if memory is not None and state in memory.cells:
        memory.cells[variable] = memory.cells[state]
    state.hint = f"{state.hint}_prev"
    first = loop.body.ops[0]
    if isinstance(first, Apply) and first.fn is RENAMED:
        first.results.append(state)
        first.args = (*first.args, variable)
    else:
        loop.body.ops.insert(0, Apply([state], None, RENAMED, (variable,)))


def first_update(loop: Loop, k: int) -> int | None:
    """The first operation of a loop that gives the variable another value."""
    state, end = loop.carried[k], loop.body.yields[k]
    if state.hint is None or not isinstance(end, Value) or end.hint != state.hint or end is state:
        return None
    for at, op in enumerate(loop.body.ops):
        found = {*op.results, *(v for block in op.blocks for v in defined_in(block))}
        if any(v.hint == state.hint for v in found):
            taken = isinstance(op, Apply) and op.fn is UNPACK
            return None if taken or all(v.made for v in op.results) else at
    return None


def is_read_after(loop: Loop, at: int, k: int) -> bool:
    n = len(loop.inits)
    taped_first = loop.tape_position() <= at
    rest = [
        y
        for i, y in enumerate(loop.body.yields)
        if i != k and not (taped_first and n <= i < n + loop.collects)
    ]
    return loop.carried[k] in read_in(Block([], loop.body.ops[at + 1 :], rest))
