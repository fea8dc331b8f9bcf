"""A mean as the sum over the number of elements, so that its sum can be part of a loop over blocks.

>>> from tests.before_after import after
>>> after('''
... def f(x):
...     return np.mean(x)
... ''', "x: f8[n]", apart)
def f(x):
    return np.sum(x) / x.size

NumPy computes it so, too: the result is the same bit for bit.
"""

from __future__ import annotations

import operator

import numpy as np

from ...analyses.shapes.infer import infer
from ...ir.operations import Apply, Block, Function, Op
from ...ir.types import Array
from ...simplify.builder import Builder

__all__ = ["apart"]


def apart(function: Function) -> Function:
    """Take the means of whole vectors of floats apart, in place."""
    visit(function.body, function)
    return function


def visit(block: Block, function: Function) -> None:
    kept: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, function)
        kept += taken_apart(op, function) if isinstance(op, Apply) and is_mean(op) else [op]
    block.ops = kept


def is_mean(op: Apply) -> bool:
    kind = getattr(op.args[0], "type", None) if op.fn is np.mean and len(op.args) == 1 else None
    floats = isinstance(kind, Array) and kind.dtype in ("float64", "float32")
    return floats and len(kind.dims or ()) == 1 and not op.kwargs  # type: ignore[union-attr]


def taken_apart(op: Apply, function: Function) -> list[Op]:
    b = Builder(Block(), shown=function.body.params)
    b.loc = op.loc
    count = b.size(op.args[0])
    total = b.emit(np.sum, *op.args)
    for made in b.block.ops:
        made.results[0].made = False
    op.fn, op.args = operator.truediv, (total, count)
    op.result.type = infer(op.fn, op.args, {}) or op.result.type
    return [*b.block.ops, op]
