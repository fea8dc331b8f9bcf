"""Insertion and naming of the copies that writes in place need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.may_alias import base_of
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    If,
    Loop,
    Op,
    Operand,
    Value,
    values_in,
    walk,
)
from ...ir.types import Number
from ...ir.value_names import spoken

__all__ = ["Yield", "base_index", "copy_of", "copy_operand", "operand_at", "take_all"]


@dataclass(eq=False)
class Yield(Op):
    """The end of a block, where it is treated like an operation that reads its yields."""

    block: Block


def take_all(body: Block) -> None:
    """Copies of names that may have no value take what stands for none, where nobody reads the copy."""
    makers = {r: op for op in walk(body) for r in op.results}
    makers |= {p: op for op in walk(body) if isinstance(op, Loop) for p in op.carried}
    for op in walk(body):
        if isinstance(op, Apply) and is_copy(op):
            held = [end[k] for end, k in held_in(makers, values_in(op.args))]
            if any(isinstance(end, Const) for end in held):
                op.fn = linear.copy


def held_in(makers: dict[Value, Op], values: list[Value]) -> Iterator[tuple[list[Operand], int]]:
    """The ends of branches and loops that say what these values may be."""
    todo, seen = list(values), set[Value]()
    while todo:
        v = todo.pop()
        op = makers.get(v)
        if v in seen or not isinstance(op, (If, Loop)):
            continue
        seen.add(v)
        if isinstance(op, If):
            ends, k = [op.then.yields, op.orelse.yields], op.results.index(v)
        else:
            ends, names = [op.inits, op.body.yields], op.carried if v in op.carried else op.results
            k = names.index(v)
        for end in ends if k < len(ends[0]) else ():
            yield end, k
            todo += values_in(end[k])


def is_copy(op: Apply) -> bool:
    """True if an operation is a copy that `copy_of` has made."""
    return op.loc is None and op.fn in (np.copy, np.ndarray.copy)


def base_index(op: Op) -> list[int]:
    """The positions of the operands whose memory an operation writes to."""
    if isinstance(op, Call):
        return [k for k, j in op.callee.facts.writes if j is not None]
    if isinstance(op, Apply) and op.kwargs.get("out") is None and base_of(op) is not None:
        return [0]
    return []


def operand_at(op: Op, k: int) -> Operand:
    if isinstance(op, Yield):
        return op.block.yields[k]
    if isinstance(op, Loop):
        return op.inits[k]
    assert isinstance(op, (Apply, Call))
    return op.args[k]


def copy_operand(block: Block, op: Op, k: int) -> None:
    """Put a copy in place of one operand, made just before it is used."""
    old = operand_at(op, k)
    made = copy_of(old, next((o for o in block.ops if old in o.results), None))
    named_after(made.result, op, k)
    at = len(block.ops) if isinstance(op, Yield) else block.ops.index(op)
    block.ops.insert(at, made)
    if isinstance(op, Yield):
        block.yields[k] = made.result
    elif isinstance(op, Loop):
        op.inits[k] = made.result
    else:
        assert isinstance(op, (Apply, Call))
        op.args = (*op.args[:k], made.result, *op.args[k + 1 :])


def named_after(copy: Value, op: Op, k: int) -> None:
    """Name the buffer of an adjoint after the adjoint, not after its first contribution."""
    target = (
        op.carried[k] if isinstance(op, Loop) else op.results[0] if isinstance(op, Apply) else None
    )
    if target is not None and (target.made or target.bar is not None):
        copy.hint, copy.bar, copy.made, copy.soft = target.hint, target.bar, True, False


def copy_of(v: Operand, maker: Op | None = None) -> Apply:
    copy = Value(None, None)
    if isinstance(v, Value):
        copy.hint, copy.type, copy.bar = v.hint or spoken(maker, v), v.type, v.bar
        copy.made, copy.loc = v.made, v.loc
        copy.soft = v.hint is None
    rank = 0 if is_number(v) else getattr(copy.type, "rank", None)
    if rank is None:
        return Apply([copy], None, linear.copy, (v,))
    if rank == 0:  # of what may be a scalar, an array that can be written to
        return Apply([copy], None, np.array, (v,))
    return Apply([copy], None, np.copy if reorders(maker) else np.ndarray.copy, (v,))


def is_number(v: Operand) -> bool:
    if isinstance(v, Const):
        return isinstance(v.value, (int, float, complex))
    return isinstance(v, Value) and isinstance(v.type, Number)


def reorders(maker: Op | None) -> bool:
    """True if an operation shows its argument with the axes in another order.

    A copy of that keeps the order (``x.copy()`` would not): sums and products of the user's, which
    may round by it, give the same bits.
    """
    return isinstance(maker, Apply) and traits_of(maker.fn).axes is not None
