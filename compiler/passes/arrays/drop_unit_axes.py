"""Size-1 axes dropped around ``+=``.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(x, w):
...     return np.sum((x[:, None] - w) ** 2)
... ''', "x: f8[n], w: f8[n, 3]", level)
def f_grad(x, w):
    # `return np.sum((x[:, None] - w) ** 2)`
    getitem_bar = 2 * np.add.reduce(x[:, None] - w, axis=1, keepdims=True)
    x_bar = np.zeros(x.shape)
    x_bar[:, None] += getitem_bar
    return x_bar
# becomes
def f_grad(x, w):
    return 2 * np.add.reduce(x[:, None] - w, axis=1)

A sum into a view with new axes is a sum into the array itself.
"""

from __future__ import annotations

import operator
from collections import Counter

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Block, Const, Function, Operand, Value
from ...ir.types import Array, same_shape
from ...ir.uses import counted
from ...simplify.builder import Builder
from ...simplify.operands import only_adds_axes, rank
from ..redundancy.dead_code import eliminate

__all__ = ["level"]

ALL = slice(Const(None), Const(None), Const(None))


def level(function: Function) -> Function:
    """Rewrite, in place, the sums into such views."""
    visit(function.body, counted(function.body))
    return eliminate(function)


def visit(block: Block, uses: Counter[Value]) -> None:
    b = Builder(Block(), may_be_complex=True)
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, uses)
        b.loc = op.loc
        if isinstance(op, Apply):
            if op.fn is linear.index_add and (axes := new_axes(op)):
                value = without(op.args[2], axes, b, uses)
                first = first_term(op.args[0], value, b, uses)
                if first is not None:  # instead of zeros, and a sum with them
                    op.fn, op.args, op.kwargs = first.fn, first.args, first.kwargs
                else:
                    op.fn, op.args = operator.iadd, (op.args[0], value)
            b.defs.update((r, op) for r in op.results)
        b.append(op)
    block.ops = b.block.ops


def first_term(buffer: Operand, value: Operand, b: Builder, uses: Counter[Value]) -> Apply | None:
    """The arithmetic that was just written, if nothing but zeros stand where it is added."""
    zeros = b.defs.get(buffer) if isinstance(buffer, Value) else None
    last = b.block.ops[-1] if b.block.ops else None
    if zeros is None or zeros.fn is not np.zeros or uses[zeros.result] != 1:
        return None
    if not isinstance(last, Apply) or last.result is not value or not traits_of(last.fn).sign:
        return None
    if not same_shape(zeros.result.type, last.result.type):
        return None
    b.block.ops.pop()
    return last


def new_axes(op: Apply) -> list[int]:
    """The axes of length one that a subscript adds to a buffer, where what is added has them, too."""
    buffer, key, value = op.args
    whole, added = getattr(buffer, "type", None), getattr(value, "type", None)
    if not isinstance(whole, Array) or not isinstance(added, Array) or not only_adds_axes(key):
        return []
    parts = key if isinstance(key, tuple) else (key,)
    axes = [k for k, part in enumerate(parts) if isinstance(part, Const)]
    if not whole.dims or not added.dims or whole.dtype is None or whole.dtype != added.dtype:
        return []
    rest = [n for k, n in enumerate(added.dims) if k not in axes]
    ones = all(k < len(added.dims) and added.dims[k] == 1 for k in axes)
    return axes if ones and rest == list(whole.dims) and None not in rest else []


def without(x: Operand, axes: list[int], b: Builder, uses: Counter[Value]) -> Operand:
    """``x`` without these axes, which have length one."""
    op = b.defs.get(x) if isinstance(x, Value) else None
    if op is not None and op.result.made and uses[op.result] == 1:
        if op.fn == np.add.reduce and keeps(op, axes):
            kept = {k: v for k, v in op.kwargs.items() if k == "axis" and axes != [0]}
            return b.emit(np.add.reduce, *op.args, **kept)
        if traits_of(op.fn).sign in ("+", "-", "*", "/", "-x") and all(
            rank(a) in (0, rank(x)) for a in op.args
        ):
            parts = [a if rank(a) == 0 else without(a, axes, b, uses) for a in op.args]
            return b.emit(op.fn, *parts)
    size = rank(x) or 0
    key = [Const(0) if k in axes else ALL for k in range(size)]
    while key[-1] is ALL:
        key.pop()
    return b.emit(operator.getitem, x, tuple(key) if len(key) > 1 else key[0])


def keeps(op: Apply, axes: list[int]) -> bool:
    """True if a sum goes along these axes and keeps them."""
    said = {name: getattr(value, "value", None) for name, value in op.kwargs.items()}
    return len(axes) == 1 and {"axis": 0, **said} == {"axis": axes[0], "keepdims": True}
