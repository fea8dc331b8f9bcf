"""Local algebra of products and factorisations: axes, subscripts and columns known at compile time.

Importing it enters its rules in the table of `rules`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import Array
from .determinants import of_log_determinant
from .fft import UNKNOWN, literal
from .operands import is_ours, made_by, rank
from .rules import simplifies

__all__: list[str] = []


@simplifies(linear.axis_from_end)
def axis_from_end(
    b: Any, like: Operand, axis: Operand = None, instead: Operand = None
) -> Operand | None:
    at, known = literal(axis if instead is None else instead), rank(like)
    if instead is not None and at is None:
        at = literal(axis)
    if axis is None and instead is None:
        return Const(-1)
    if type(at) is not int:
        return None
    return Const(at) if at < 0 else None if known is None else Const(at - known)


@simplifies(linear.product_order)
def product_order(b: Any, p: Operand) -> Operand | None:
    return p if literal(p) in ("fro", 1, -1, np.inf, -np.inf) else None


@simplifies(linear.rows_times)
def rows_times(b: Any, x: Operand, w: Operand = None) -> Operand | None:
    return x if literal(w) is None else None


@simplifies(np.ndarray.ndim)
def ndim(b: Any, x: Operand) -> Operand | None:
    known = rank(x)
    return None if known is None else Const(known)


@simplifies(linear.two_sides)
def two_sides(b: Any, a: Operand, axes: Operand = None, first: Operand = None) -> Operand | None:
    known, along, few = rank(a), literal(axes), 0 if first is None else literal(first)
    if known is None or along is UNKNOWN or type(few) is not int:
        return None
    return tuple(map(Const, linear.two_sides(np.empty((0,) * known), along, few)))


@simplifies(linear.inverse_axes)
def inverse_axes(b: Any, axes: Operand, ndim: Operand) -> Operand | None:
    known = literal(axes)
    if not isinstance(known, tuple):
        return None
    return tuple(Const(int(k)) for k in np.argsort([a % len(known) for a in known]))


@simplifies(np.transpose)
def transpose(b: Any, x: Operand, axes: Operand = None) -> Operand | None:
    """Nothing, where every axis stays; ``x.T``, where all are turned round."""
    known, n = literal(axes), rank(x)
    turned_round = axes is None or (isinstance(axes, Const) and axes.value is None)
    if n is not None and turned_round:
        return b.emit(np.ndarray.T, x) if n else x
    return x if isinstance(known, tuple) and known == tuple(range(len(known))) else None


@simplifies(np.ndarray.T)
def turned(b: Any, x: Operand) -> Operand | None:
    """Nothing, of a number, whose ``.T`` Python has not; ``y.T @ x`` for ``(x.T @ y).T`` of matrices."""
    if rank(x) == 0:
        return x
    op = made_by(b, x, operator.matmul)
    if op is None or not is_ours(op) or [rank(a) for a in op.args] != [2, 2]:
        return None
    inner = [made_by(b, a, np.ndarray.T) for a in op.args]
    if inner == [None, None]:
        return None
    turned = [
        b.apply(np.ndarray.T, a) if t is None else t.args[0]
        for a, t in zip(op.args, inner, strict=True)
    ]
    return b.apply(operator.matmul, turned[1], turned[0])  # type: ignore[no-any-return]


@simplifies(linear.thin, linear.some)
def thin(b: Any, factor: Operand, s: Operand, axis: Operand) -> Operand | None:
    """All vectors, where there are as many as values."""
    tf, ts, at = type_of(factor), type_of(s), literal(axis)
    if not isinstance(tf, Array) or not isinstance(ts, Array) or not tf.dims or not ts.dims:
        return None
    n = tf.dims[at]
    return factor if n is not None and n == ts.dims[-1] else None


@simplifies(linear.chain)
def chain(b: Any, *arrays: Operand) -> Operand | None:
    """``"ab,bc->ac"``"""
    there = [x for x in arrays if literal(x) is not None]
    ranks = [rank(x) for x in there]
    if any(n not in (1, 2) for n in ranks):
        return None
    return Const(linear.chain(*(np.empty((0,) * n) for n in ranks if n is not None)))


@simplifies(linear.uncut)
def uncut(b: Any, n: Operand, a: Operand, *cutoffs: Operand) -> Operand | None:
    """Without a cutoff of the user's, only what is zero is counted as zero."""
    return n if all(isinstance(c, Const) and c.value is None for c in cutoffs) else None


@simplifies(linear.economic)
def economic(b: Any, q: Operand, r: Operand, mode: Operand = None) -> Operand | None:
    return q if mode is None or literal(mode) == "reduced" else None


@simplifies(linear.leading)
def leading(b: Any, x: Operand, like: Operand) -> Operand | None:
    """All columns, where there are as many as rows."""
    tx, tl = type_of(x), type_of(like)
    if not isinstance(tx, Array) or not isinstance(tl, Array) or not tx.dims or not tl.dims:
        return None
    columns, rows = tx.dims[-1], tl.dims[-2]
    return x if columns is not None and columns == rows else None


@simplifies(linear.hermitian)
def hermitian(b: Any, x: Operand, when: Operand = None) -> Operand | None:
    return x if when is not None and literal(when) is False else of_log_determinant(b, x)


@simplifies(linear.matrices, linear.unmatrices)
def matrices(b: Any, x: Operand, axis: Operand = None) -> Operand | None:
    return x if literal(axis) is None else None


@simplifies(linear.undiagonal)
def undiagonal(
    b: Any,
    c: Operand,
    like: Operand,
    offset: Operand = None,
    axis1: Operand = None,
    axis2: Operand = None,
) -> Operand | None:
    """``np.diag(c)``, where that is the shape."""
    tc, tl = type_of(c), type_of(like)
    if not isinstance(tc, Array) or not isinstance(tl, Array) or tc.dtype != tl.dtype:
        return None
    square = tl.dims is not None and len(tl.dims) == 2 and tl.dims[0] == tl.dims[1] is not None
    plain = literal(offset) in (None, 0) and {literal(axis1), literal(axis2)} in (
        {None}, {0, 1}, {-2, -1}
    )  # fmt: skip
    if not square or not plain or tc.dtype is None or rank(c) != 1:
        return None
    return b.emit(np.diag, c)


@simplifies(linear.convert)
def convert(b: Any, c: Operand, like: Operand, copy: Operand = None) -> Operand | None:
    """Nothing, where both are of one dtype."""
    tc, tl = type_of(c), type_of(like)
    if not isinstance(tc, Array) or not isinstance(tl, Array) or literal(copy) not in (None, False):
        return None
    return c if tc.dtype is not None and tc.dtype == tl.dtype and tl.kind in ("f", "c") else None
