"""Spellings of calls: the one a person would write, or a cheaper one with the same result bit for bit.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> after('''
... def f(x, y, c):
...     s = np.sum(x, axis=1)
...     y_bar = 2 * y
...     return np.add.reduce(s), np.add.reduce(x), np.outer(s, y_bar), s * (1.0 / c)
... ''', "x: f8[n, m], y: f8[k], c: float", respell, eliminate, derivative=True)
def f(x, y, c):
    s = np.sum(x, axis=1)
    y_bar = 2.0 * y
    return np.sum(s), np.sum(x, axis=0), s[:, None] * y_bar, s / c

Sums in derivatives are made as ``np.add.reduce``, which goes along the first axis unless told.  Constants become
floats only in a derivative.
"""

from __future__ import annotations

import operator
from collections import Counter
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Const, Function, Operand, Value
from ...ir.types import Array, same_shape
from ...ir.uses import counted
from ...simplify.builder import Builder
from ...simplify.operands import rank

__all__ = ["respell"]

EXACT = 2**24  # whole numbers up to here are floats of single precision, too


def respell(function: Function) -> Function:
    """Rewrite calls in place."""
    visit(function.body, counted(function.body))
    return function


def visit(block: Block, uses: Counter[Value]) -> None:
    kept: list[Any] = []
    made: dict[Value, Apply] = {}
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, uses)
        if isinstance(op, Apply):
            divide(op, made, uses)
            add_number(op, made)
            average(op, made, uses)
            made.update((r, op) for r in op.results)
        if isinstance(op, Apply) and op.result.made and is_arithmetic(op):
            op.args = tuple(as_float(x, y) for x, y in zip(op.args, op.args[::-1], strict=True))
        kept += rewritten(op) if isinstance(op, Apply) else [op]
    block.ops = kept


def rewritten(op: Apply) -> list[Apply]:
    if op.fn is np.outer:
        return outer(op)
    if op.fn == np.add.reduce and op.result.made:
        op.fn, op.kwargs = np.sum, axes_of_sum(op)
    return [op]


def axes_of_sum(op: Apply) -> dict[str, Operand]:
    """What ``np.sum`` is told for a sum that goes along the first axis unless told."""
    kind = getattr(op.args[0], "type", None)
    vector = isinstance(kind, Array) and kind.dims is not None and len(kind.dims) == 1
    axis = op.kwargs.get("axis", Const(None if vector else 0))
    rest = {k: v for k, v in op.kwargs.items() if k != "axis"}
    whole = isinstance(axis, Const) and axis.value is None
    return rest if whole else {"axis": axis, **rest}


def divide(op: Apply, made: dict[Value, Apply], uses: Counter[Value]) -> None:
    """``x / n`` for ``x * (1 / n)`` of an array and a number."""
    if op.fn is not operator.mul or not op.result.made or op.result.exact:
        return
    for x, k in (op.args, op.args[::-1]):
        over = made.get(k) if isinstance(k, Value) and uses[k] == 1 else None
        if over is None or over.fn is not operator.truediv or not over.result.made:
            continue
        one, n = over.args
        floats = getattr(getattr(x, "type", None), "kind", None) == "f"
        if isinstance(one, Const) and one.value == 1 and floats and rank(n) == 0:
            op.fn, op.args = operator.truediv, (x, n)
            return


def average(op: Apply, made: dict[Value, Apply], uses: Counter[Value]) -> None:
    """``np.mean(x, axis=1)`` for ``np.sum(x, axis=1) / x.shape[1]`` of an array of floats, which is what it computes."""
    if op.fn is not operator.truediv or not op.result.made or op.result.exact:
        return
    total, n = op.args
    over = made.get(total) if isinstance(total, Value) and uses[total] == 1 else None
    if over is None or over.fn is not np.sum or not over.result.made or len(over.args) != 1:
        return
    kind = getattr(over.args[0], "type", None)
    if isinstance(kind, Array) and kind.dtype in ("float64", "float32") and kind.dims:
        axis = over.kwargs.get("axis", Const(None))
        if is_count(n, kind, axis.value if isinstance(axis, Const) else ..., made):
            op.fn, op.args, op.kwargs = np.mean, over.args, over.kwargs


def is_count(n: Operand, kind: Array, axis: Any, made: dict[Value, Apply]) -> bool:
    """True if a number is the count of the entries that a sum along an axis, or along all, adds up."""
    assert kind.dims is not None
    if axis is None and len(kind.dims) > 1:
        size = made.get(n) if isinstance(n, Value) else None
        whole = size is not None and size.fn is np.ndarray.size
        return size is not None and whole and same_shape(type_of(size.args[0]), kind)
    along = kind.dims[0 if axis is None else axis] if axis is None or type(axis) is int else None
    return along is not None and (
        getattr(type_of(n), "size", None) == along or (isinstance(n, Const) and n.value == along)
    )


def add_number(op: Apply, made: dict[Value, Apply]) -> None:
    """``x[i] += c`` of a number, not of an array that is filled with it: in a text only, whose adjoint nobody asks."""
    if op.fn is not linear.index_add or not op.result.made or len(op.args) != 3:
        return
    buffer, index, c = op.args
    full = made.get(c) if isinstance(c, Value) else None
    array = isinstance(buffer, Value) and isinstance(buffer.type, Array)
    if array and full is not None and full.fn is linear.stretch and rank(full.args[0]) == 0:
        op.args = (buffer, index, full.args[0])


def is_arithmetic(op: Apply) -> bool:
    return traits_of(op.fn).sign in ("+", "-", "*", "/")


def as_float(x: Operand, other: Operand) -> Operand:
    """``2.0`` for ``2`` beside an array of floats, for which NumPy would convert it."""
    kind = getattr(other, "type", None)
    if not isinstance(x, Const) or type(x.value) is not int or x.text is not None:
        return x
    floats = isinstance(kind, Array) and kind.dtype in ("float64", "float32") and bool(kind.dims)
    return Const(float(x.value)) if floats and abs(x.value) <= EXACT else x


def outer(op: Apply) -> list[Apply]:
    """``np.outer`` of two vectors: a column times a row."""
    if len(op.args) != 2 or op.kwargs or not all(map(is_vector, op.args)):
        return [op]
    x, y = op.args
    b = Builder(Block())
    b.loc = op.loc
    column = b.emit(
        operator.getitem, x, (slice(Const(None), Const(None), Const(None)), Const(None))
    )
    op.fn, op.args = operator.mul, (column, y)
    return [*b.block.ops, op]  # type: ignore[list-item]


def is_vector(x: Operand) -> bool:
    kind = getattr(x, "type", None)
    return isinstance(kind, Array) and kind.dims is not None and len(kind.dims) == 1
