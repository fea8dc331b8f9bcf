"""Arrays that hold whole numbers on one way and fractions on another: what is written to them may be cut off.

::

    q = np.arange(n) if test else x
    y = np.zeros_like(q)
    y[1:] = x[1:] ** 2          # whole numbers, and no derivative, where the test holds

>>> y, x, at = Value("y", Array(None, (2,), "f", least="i")), Value("x", Number("f")), Const(())
>>> written = Apply([Value("z", y.type)], None, linear.write, (y, at, x))
>>> f = Function("f", Block([y, x], [written], [written.result]), None)
>>> [op.fn.__name__ for op in check_fractions(f).body.ops]
['check_holds', 'write']

Types say that they may be whole (`ir/types.py`), so the text asks.  Arrays that have their kind from an argument
are asked for at the entrance.
"""

from __future__ import annotations

import operator
from typing import Any

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import infer
from ...analyses.written_dtypes import lenders, written_by
from ...ir.operations import Apply, Block, Call, Const, Function, Op, Value, values_in
from ...ir.types import Array, Number, Numeric

__all__ = ["check_fractions"]

Lent = dict[Function, frozenset[int]]  # what `lenders` tells of the functions that are called


def check_fractions(function: Function) -> Function:
    """Ask, in place, what is written to for its kind, where that may be one of whole numbers."""
    visit(function.body, {})
    return function


def visit(block: Block, lent: Lent) -> None:
    made: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, lent)
        made += [*checks(op, lent), op]
    block.ops = made


def checks(op: Op, lent: Lent) -> list[Op]:
    """The questions that are asked before an operation."""
    if is_refused_by_numpy(op):
        return []
    if isinstance(op, Call) and not any(is_doubtful(v.type) for v in values_in(list(op.args))):
        return []

    def lent_by(callee: Function) -> frozenset[int]:
        if callee not in lent:
            lent[callee] = lenders(callee)
        return lent[callee]

    return [
        Apply([Value(None)], op.loc, linear.check_holds, (v, Const(0.5) if x is None else x), effect=True)
        for v, x in written_by(op, lent_by)
        if is_doubtful(v.type)
    ]  # fmt: skip


def is_doubtful(kind: Any) -> bool:
    """True of an array that is of whole numbers on one way, and of what may be a number or an array of any dtype."""
    if isinstance(kind, Numeric):
        return kind.dtype is None
    return isinstance(kind, (Array, Number)) and kind.whole


def is_refused_by_numpy(op: Op) -> bool:
    """True of ``y[1:] += x``, which raises an error; ``y[1] += x`` writes a number back, cut off."""
    if not isinstance(op, Apply) or op.fn is not linear.increase:
        return False
    part = infer(operator.getitem, (op.args[0], op.args[1]), {})
    return isinstance(part, Array) and part.dims not in (None, ())
