"""Cheaper spellings of calls: the same result bit for bit, for float arrays.

>>> from tests.before_after import after
>>> after('''
... def f(x, y, c):
...     s = np.sum(x, axis=1)
...     y_bar = 2 * y
...     return np.mean(s), np.max(s), np.outer(s, y_bar)
... ''', "x: f8[n, m], y: f8[k], c: float", respell, derivative=True)
def f(x, y, c):
    s = np.add.reduce(x, axis=1)
    y_bar = 2.0 * y
    return np.add.reduce(s) / s.size, np.maximum.reduce(s), s[:, None] * y_bar

NumPy's Python wrappers cost 1 to 2 us a call; the ufunc methods behind them do not.  Constants become
floats only in a derivative.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import infer
from ...ir.operations import Apply, Block, Const, Function, Operand
from ...ir.target import is_on_device
from ...ir.types import Array
from ...simplify.builder import Builder

__all__ = ["respell"]

REDUCTIONS = {
    np.sum: np.add.reduce, np.max: np.maximum.reduce, np.min: np.minimum.reduce, np.prod: np.multiply.reduce,
    np.amax: np.maximum.reduce, np.amin: np.minimum.reduce,
}  # fmt: skip
EXACT = 2**24  # whole numbers up to here are floats of single precision, too
ALLOWED = {"axis", "keepdims"}


def respell(function: Function) -> Function:
    """Rewrite, in place, the calls of NumPy's slow wrappers."""
    visit(function.body, function)
    return function


def visit(block: Block, function: Function) -> None:
    kept: list[Any] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, function)
        if isinstance(op, Apply) and op.result.made and is_arithmetic(op):
            op.args = tuple(as_float(x, y) for x, y in zip(op.args, op.args[::-1], strict=True))
        kept += rewritten(op, function) if isinstance(op, Apply) else [op]
    block.ops = kept


def rewritten(op: Apply, function: Function) -> list[Apply]:
    if op.fn is np.outer:
        return outer(op)
    if is_on_device():  # its wrappers are the kernels; of methods of ufuncs it has few
        return [op]
    if op.fn not in (*REDUCTIONS, np.mean) or not op.args or not is_plain(op):
        return [op]
    kind = op.args[0].type
    if op.fn is np.mean:
        return mean(op, kind, function)
    op.fn, op.args, op.kwargs = reduction(REDUCTIONS[op.fn], op, kind)
    return [op]


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


def is_plain(op: Apply) -> bool:
    """A float64 or float32 array of known rank, with only an axis and keepdims said."""
    kind = getattr(op.args[0], "type", None)
    if not isinstance(kind, Array) or kind.dtype not in ("float64", "float32") or not kind.dims:
        return False
    return len(op.args) <= 2 and set(op.kwargs) <= ALLOWED


def reduction(
    fn: Any, op: Apply, kind: Array
) -> tuple[Any, tuple[Operand, ...], dict[str, Operand]]:
    """The ufunc's own reduction: its axis is 0 unless said otherwise."""
    kwargs = dict(op.kwargs)
    if len(op.args) == 2:
        kwargs = {"axis": op.args[1], **kwargs}
    kwargs.setdefault("axis", Const(None))
    axis = kwargs["axis"]
    whole = isinstance(axis, Const) and axis.value is None
    if (whole and len(kind.dims or ()) == 1) or (
        isinstance(axis, Const) and axis.value == 0 and type(axis.value) is int
    ):
        del kwargs["axis"]
    return fn, op.args[:1], kwargs


def mean(op: Apply, kind: Array, function: Function) -> list[Apply]:
    """``np.mean``: the sum over the number of elements, as NumPy computes it."""
    axis = op.kwargs.get("axis", op.args[1] if len(op.args) == 2 else Const(None))
    if not isinstance(axis, Const):
        return [op]
    b = Builder(Block(), shown=function.body.params)
    b.loc = op.loc
    if axis.value is None:
        count = b.size(op.args[0])
    elif isinstance(axis.value, int):
        count = b.size_along(op.args[0], axis.value)
    else:
        return [op]
    fn, args, kwargs = reduction(np.add.reduce, op, kind)
    total = b.emit(fn, *args, **kwargs)
    for made in b.block.ops:
        made.results[0].made = False
    op.fn, op.args, op.kwargs = operator.truediv, (total, count), {}
    op.result.type = infer(op.fn, op.args, {}) or op.result.type
    return [*b.block.ops, op]  # type: ignore[list-item]
