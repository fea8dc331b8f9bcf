"""Local algebra of Fourier transforms: lengths, axes and norms known at compile time.

Importing it enters its rules in the table of `rules`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import Array, kind_of, same_shape
from .operands import rank
from .rules import simplifies

__all__: list[str] = []

UNKNOWN = object()
PAIRS = ({"float64", "complex128"}, {"float32", "complex64"})  # complex, and the dtype of its parts


def literal(operand: Any) -> Any:
    """The value of an operand that is written out, or ``UNKNOWN``."""
    if isinstance(operand, (tuple, list)):
        items = [literal(item) for item in operand]
        return UNKNOWN if UNKNOWN in items else tuple(items)
    if operand is None:
        return None
    return operand.value if isinstance(operand, Const) and operand.text is None else UNKNOWN


@simplifies(linear.opposite)
def opposite(b: Any, norm: Operand = None) -> Operand | None:
    known = literal(norm)
    return None if known is UNKNOWN else Const(linear.opposite(known))


@simplifies(linear.length)
def length(b: Any, like: Operand, n: Operand = None, axis: Operand = None) -> Operand | None:
    if n is not None and literal(n) is not None:
        return n if kind_of(type_of(n)) == "i" else None
    along = -1 if axis is None else literal(axis)
    return b.size_along(like, along) if type(along) is int and rank(like) is not None else None


@simplifies(linear.lengths)
def lengths(b: Any, like: Operand, s: Operand = None, axes: Operand = None) -> Operand | None:
    """``(4, x.shape[1])``, where it is said which axes there are."""
    sizes, along, known = literal(s), literal(axes), rank(like)
    if UNKNOWN in (sizes, along) or known is None:
        return None
    if along is None:
        along = tuple(range(-len(sizes) if sizes is not None else -known, 0))
    sizes = (None,) * len(along) if sizes is None else sizes
    if len(sizes) != len(along):
        return None
    return tuple(
        b.size_along(like, a) if n in (None, -1) else Const(n)
        for a, n in zip(along, sizes, strict=True)
    )


@simplifies(linear.turned)
def turned(b: Any, like: Operand, s: Operand = None, axes: Operand = None) -> Operand | None:
    along, known = literal(axes), rank(like)
    if along is UNKNOWN:
        return None
    if literal(s) is None:
        return Const(along)
    if not isinstance(s, tuple) or known is None:
        return None
    along = tuple(range(-len(s), 0)) if along is None else tuple(along)
    once = len({a % known for a in along}) == len(along)
    return tuple(map(Const, along)) if once else None


@simplifies(linear.fit)
def fit(b: Any, c: Operand, like: Operand) -> Operand | None:
    """The real part at most, where nothing is cut and nothing added."""
    tc, tl = type_of(c), type_of(like)
    if not isinstance(tc, Array) or not isinstance(tl, Array) or not same_shape(tc, tl):
        return None
    kinds = kind_of(tc), kind_of(tl)
    if tc.dtype != tl.dtype and {tc.dtype, tl.dtype} not in PAIRS:
        return None
    if kinds == ("c", "f"):
        return b.emit(np.real, c)
    return c if kinds in (("c", "c"), ("f", "f")) else None
