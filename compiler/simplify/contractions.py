"""Local algebra of ``np.dot``, ``np.inner`` and ``np.tensordot``: of vectors and matrices, they are ``@``.

Importing it enters its rules in the table of `rules`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.linalg.products import both_axes

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import may_turn_complex
from .fft import UNKNOWN, literal
from .operands import rank
from .rules import simplifies

__all__: list[str] = []


@simplifies(linear.dot_axes)
def dot_axes(b: Any, x: Operand, y: Operand) -> Operand | None:
    return axes_of(linear.dot_axes, x, y)


@simplifies(linear.inner_axes)
def inner_axes(b: Any, x: Operand, y: Operand) -> Operand | None:
    return axes_of(linear.inner_axes, x, y)


def axes_of(make: Any, x: Operand, y: Operand) -> Operand | None:
    ranks = rank(x), rank(y)
    return None if None in ranks else Const(make(*(np.empty((1,) * (n or 0)) for n in ranks)))


@simplifies(linear.tensordot_pull_left)
def pull_left(
    b: Any, c: Operand, y: Operand, like: Operand, axes: Operand = None
) -> Operand | None:
    """``c @ y.T``, of matrices whose inner axes are summed."""
    turned = turned_round(like, y, axes)
    if turned is None:
        return each(b, c, y, like, axes, like_first=True)
    left, right = turned
    x, other = (b.apply(np.ndarray.T, v) if t else v for v, t in ((like, left), (y, right)))
    pulled = b.apply(linear.matmul_pull_left, c, other, like=x)
    return b.apply(np.ndarray.T, pulled) if left else pulled  # type: ignore[no-any-return]


@simplifies(linear.tensordot_pull_right)
def pull_right(
    b: Any, c: Operand, x: Operand, like: Operand, axes: Operand = None
) -> Operand | None:
    """``x.T @ c``, of matrices whose inner axes are summed."""
    turned = turned_round(x, like, axes)
    if turned is None:
        return each(b, c, x, like, axes, like_first=False)
    left, right = turned
    other, y = (b.apply(np.ndarray.T, v) if t else v for v, t in ((x, left), (like, right)))
    pulled = b.apply(linear.matmul_pull_right, c, other, like=y)
    return b.apply(np.ndarray.T, pulled) if right else pulled  # type: ignore[no-any-return]


def each(
    b: Any, c: Operand, other: Operand, like: Operand, axes: Operand, like_first: bool
) -> Operand | None:
    """``c * other``, where every axis is summed, or the other one is a number."""
    if b.may_be_complex and may_turn_complex(type_of(like)):
        return None
    if rank(other) == 0:
        return b.apply(operator.mul, c, other)  # type: ignore[no-any-return]
    ranks = (rank(like), rank(other)) if like_first else (rank(other), rank(like))
    found = summed(*ranks, axes)
    if found is None or not ranks[0] == ranks[1] == len(found[0]):
        return None
    pairs = list(zip(*found, strict=True))
    if any(one != two for one, two in pairs):
        if ranks[0] != 2:
            return None
        other = b.apply(np.ndarray.T, other)
    return b.apply(operator.mul, c, other)  # type: ignore[no-any-return]


@simplifies(np.tensordot)
def tensordot(b: Any, x: Operand, y: Operand, axes: Operand = None) -> Operand | None:
    """A product of matrices, as the transposes of products of matrices are written."""
    turned = turned_round(x, y, axes)
    if turned is None:
        return None
    factors = (b.apply(np.ndarray.T, v) if t else v for v, t in zip((x, y), turned, strict=True))
    return b.apply(operator.matmul, *factors)  # type: ignore[no-any-return]


def turned_round(x: Operand, y: Operand, axes: Operand) -> tuple[bool, bool] | None:
    """Which of ``x`` and ``y`` to transpose to have ``x @ y``, if it is the sum over these axes."""
    left, right = rank(x), rank(y)
    found = summed(left, right, axes)
    if left not in (1, 2) or right not in (1, 2) or found is None or len(found[0]) != 1:
        return None
    return found[0] != [left - 1], found[1] != [0]


def summed(
    left: int | None, right: int | None, axes: Operand
) -> tuple[list[int], list[int]] | None:
    """The axes of both that are summed, where all of it is known."""
    along = literal(Const(2) if axes is None else axes)
    if left is None or right is None or along is UNKNOWN:
        return None
    return both_axes(along, left, right)
