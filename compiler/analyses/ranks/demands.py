"""What operations demand of the ranks of their operands: with others, NumPy raises.

The trait `dimensions` has the least and the most of each operand; subscripts, axes and the terms of ``einsum`` say
theirs.
`tests/compiler/test_rank_demands.py` holds all of it against NumPy.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array, Number
from ..kind_model import position
from .rank_sets import MOST

__all__ = ["axis_of", "demanded", "is_place", "names_all_axes", "needs_number"]

Span = tuple[int, int]


def demanded(op: Apply) -> list[tuple[Operand, Span]]:
    """Operands, and the least and the most dimensions that they have where this does not raise."""
    known = traits_of(op.fn).dimensions or ()
    found = [
        (a, (least, MOST if most is None else most))
        for a, (least, most) in zip(op.args, known, strict=False)
    ]
    if op.fn is operator.getitem:
        found += [(op.args[0], (subscripts(op.args[1]), MOST))]
    elif op.fn is np.einsum:
        found += einsum_terms(op)
    elif (
        op.args and (axis := axis_of(op)) is not None and axis not in (0, -1)
    ):  # a number has those
        found += [(op.args[0], (axis + 1 if axis >= 0 else -axis, MOST))]
    elif op.fn is np.transpose and len(op.args) == 2 and isinstance(op.args[1], tuple):
        found += [(op.args[0], (len(op.args[1]),) * 2)]
    return found


def subscripts(index: Operand) -> int:
    """How many dimensions a subscript uses up at least."""
    parts = index if isinstance(index, tuple) else (index,)
    return sum(map(uses_one, parts))


def uses_one(part: Operand) -> bool:
    """True of a subscript for one dimension at least: not of an array of truth values without any."""
    return isinstance(part, slice) or is_place(part)


def is_place(index: Operand) -> bool:
    """True of a whole number."""
    if isinstance(index, Const):
        return type(index.value) is int
    if type(index) is int:
        return True
    kind = getattr(index, "type", None)
    return isinstance(kind, (Number, Array)) and kind.kind == "i" and kind.dims == ()


def names_all_axes(index: Operand) -> bool:
    """True of ``[:, None, :]``: its last part would be superfluous unless it names all dimensions."""
    if not isinstance(index, tuple) or len(index) < 2 or index[-1] != WHOLE:
        return False
    return all(is_none(p) or isinstance(p, slice) or is_place(p) for p in index)


class Whole:
    """Equal to the subscript ``:``."""

    def __eq__(self, other: object) -> bool:
        parts = (other.start, other.stop, other.step) if isinstance(other, slice) else ()
        return bool(parts) and all(map(is_none, parts))

    def __hash__(self) -> int:
        return 0


WHOLE = Whole()


def is_none(operand: Operand) -> bool:
    return operand is None or (isinstance(operand, Const) and operand.value is None)


def axis_of(op: Apply) -> int | None:
    """The axis of a reduction, or of what goes along one, if it is written in the text."""
    record = traits_of(op.fn)
    if record.reduces is None and record.along is None:
        return None
    at = position(op.fn, "axis")
    axis = op.kwargs.get("axis", op.args[at] if at is not None and at < len(op.args) else None)
    value = axis.value if isinstance(axis, Const) else axis
    return value if type(value) is int else None


def einsum_terms(op: Apply) -> list[tuple[Operand, Span]]:
    text = op.args[0].value if op.args and isinstance(op.args[0], Const) else None
    if not isinstance(text, str) or "." in text:
        return []
    terms = text.replace(" ", "").partition("->")[0].split(",")
    return [(x, (len(t),) * 2) for x, t in zip(op.args[1:], terms, strict=False)]


NUMBERS: tuple[Callable[..., Any], ...] = (
    builtins.float,
    builtins.int,
    builtins.range,
    np.eye,
    np.arange,
)


def needs_number(fn: Any) -> bool:
    """True of what takes numbers: an array of one element would do, too, but is hardly meant."""
    return fn in NUMBERS or getattr(fn, "__module__", "") == math.__name__
