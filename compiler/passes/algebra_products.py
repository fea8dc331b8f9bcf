"""Local algebra of products and factors: axes, subscripts and columns that are known when the text is written.

Importing it enters its rules in the table of ``algebra``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime import linear

from ..ir import Const, Operand
from ..types import Array
from .algebra import rank, simplifies, type_of
from .algebra_fourier import literal

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


@simplifies(linear.chain)
def chain(b: Any, *arrays: Operand) -> Operand | None:
    """``"ab,bc->ac"``"""
    there = [x for x in arrays if literal(x) is not None]
    ranks = [rank(x) for x in there]
    if any(n not in (1, 2) for n in ranks):
        return None
    return Const(linear.chain(*(np.empty((0,) * n) for n in ranks if n is not None)))


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


@simplifies(linear.matrices, linear.unmatrices)
def matrices(b: Any, x: Operand, axis: Operand = None) -> Operand | None:
    return x if literal(axis) is None else None
