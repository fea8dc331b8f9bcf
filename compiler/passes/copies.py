"""Copies put in place of an operand, named after what they are for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retrograd.runtime import linear

from ..analyses.sharing import base_of
from ..ir import Apply, Block, Call, Loop, Op, Operand, Value
from ..names import spoken
from ..types import Array

__all__ = ["Yield", "base_index", "copy_of", "copy_operand", "operand_at"]


@dataclass(eq=False)
class Yield(Op):
    """The end of a block, where it is treated like an operation that reads its yields."""

    block: Block


def base_index(op: Op) -> list[int]:
    """The positions of the operands whose memory an operation writes to."""
    if isinstance(op, Call):
        return [k for k, j in op.callee.facts.get("writes", ()) if j is not None]
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
    made = copy_of(old)
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
    """What an adjoint is accumulated in is called like it, not like what it began as."""
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
    array = isinstance(copy.type, Array) and bool(copy.type.dims)
    return Apply([copy], None, np.ndarray.copy if array else linear.copy, (v,))
