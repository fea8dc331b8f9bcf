"""Index loops printed as loops over sequences, the way the user writes them.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> from ..redundancy.tuple_unpacking import unpack
>>> after('''
... def f(params, x):
...     for k in range(len(params)):
...         part = params[k]
...         w, b = part[0], part[1]
...         x = np.tanh(x @ w + b)
...     return x
... ''', "params: [(f8[n, n], f8[n]), (f8[n, n], f8[n])], x: f8[n]", iterate, eliminate, unpack)
def f(params, x):
    for w, b in params:
        x = np.tanh(x @ w + b)
    return x

Differentiation sees the index loop, which needs no rule of its own; this pass only changes how it prints.
"""

from __future__ import annotations

import builtins
import operator

from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Loop,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)  # fmt: skip
from ...ir.primitives import UNPACK
from ...ir.types import Array, Stack, Tree

__all__ = ["iterate"]


def iterate(function: Function) -> Function:
    """Rewrite, in place, index loops over whole sequences."""
    known = Known(function)
    visit(function.body, known)
    return function


class Known:
    """What made each value, and the parameters that can be gone over, though their types do not say it."""

    def __init__(self, function: Function) -> None:
        self.defs = {r: op for op in walk(function.body) for r in op.results}
        self.sequences = {p for p in function.body.params if p.hint in function.facts.sequences}


def visit(block: Block, known: Known) -> None:
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, known)
        if isinstance(op, Loop) and op.bounds is not None:
            over_sequences(op, known)
            drop_index(op)


def over_sequences(loop: Loop, known: Known) -> None:
    sequences = measured(loop, known)
    if not sequences:
        return
    reads: dict[Value, Apply] = {}
    for op in loop.body.ops:
        if not (isinstance(op, Apply) and op.fn is operator.getitem and op.args[1] is loop.index):
            break
        if op.args[0] in sequences:
            reads[op.args[0]] = op
    if set(reads) != set(sequences):
        return
    if loop.backwards and (len(sequences) > 1 or reads_of_index(loop) > len(reads)):
        return  # of several, the ends do not belong together: one may be longer
    for sequence in sequences:
        loop.body.ops.remove(reads[sequence])
        loop.feed(sequence, loop.backwards, reads[sequence].result)
        take_apart(loop.body, reads[sequence].result)
    if len(loop.feeds) == 1 and not loop.backwards:  # with the index: ``enumerate``
        loop.bounds = (Const(0), Const(None), Const(1))


def reads_of_index(loop: Loop) -> int:
    read = [operands_of(op) for op in walk(loop.body)]
    read += [b.yields for op in walk(loop.body) for b in op.blocks]
    return list(values_in([*read, loop.body.yields])).count(loop.index)  # type: ignore[arg-type]


def drop_index(loop: Loop) -> None:
    """Nobody reads the index, and what is iterated over says when the loop ends."""
    if loop.feeds and not reads_of_index(loop):
        loop.bounds = (Const(0), Const(None), Const(1))


def measured(loop: Loop, known: Known) -> list[Value]:
    """The sequences whose (least) length bounds the loop."""
    assert loop.bounds is not None
    lo, hi, step = loop.bounds
    if not (is_const(lo, 0) and is_const(step, 1)):
        return []
    found = lengths(hi, known)
    return found if len(set(found)) == len(found) else []


def lengths(operand: Operand, known: Known) -> list[Value]:
    op = known.defs.get(operand) if isinstance(operand, Value) else None
    if not isinstance(op, Apply):
        return []
    if op.fn is builtins.len and (op.args[0] in known.sequences or is_sequence(op.args[0])):
        return [op.args[0]]
    if op.fn is builtins.min and len(op.args) > 1:
        parts = [lengths(a, known) for a in op.args]
        return [v for part in parts for v in part] if all(parts) else []
    return []


def is_sequence(v: Operand) -> bool:
    """An array, a list or a tuple (iterating over a dict would give its keys)."""
    kind = v.type if isinstance(v, Value) else None
    return isinstance(kind, (Array, Stack)) or (
        isinstance(kind, Tree) and kind.container in ("list", "tuple")
    )


def is_const(operand: Operand, value: int) -> bool:
    return isinstance(operand, Const) and type(operand.value) is int and operand.value == value


def take_apart(block: Block, element: Value) -> None:
    """``W = part[0]; b = part[1]`` as one unpacking, where nothing else is done with the part."""
    kind = element.type
    if not (isinstance(kind, Tree) and kind.container == "tuple"):
        return
    parts: dict[int, Apply] = {}
    for op in walk(block):
        if element not in values_in([*operands_of(op), *(b.yields for b in op.blocks)]):
            continue
        if not (isinstance(op, Apply) and op in block.ops and is_item(op, len(kind.items))):
            return
        if op.args[1].value in parts:
            return
        parts[op.args[1].value] = op
    if element in values_in(block.yields) or len(parts) < (2 if element.hint else 1):
        return
    results = [parts[k].result if k in parts else Value(None) for k in range(len(kind.items))]
    block.ops = [op for op in block.ops if op not in parts.values()]
    block.ops.insert(0, Apply(results, None, UNPACK, (element,)))


def is_item(op: Apply, n: int) -> bool:
    key = op.args[1] if op.fn is operator.getitem else None
    return isinstance(key, Const) and type(key.value) is int and 0 <= key.value < n
