"""Rules of operations along axes on a batch, which are told their axes in ways of their own."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array
from .example_rules import NONE, Given, form

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["is_none", "shape_of", "shifted"]


def shifted(axis: Operand) -> Operand | None:
    """An axis of one example as one of the batch; None where that cannot be said."""
    if isinstance(axis, tuple):
        moved = [shifted(a) for a in axis]
        return None if None in moved else tuple(moved)
    if not isinstance(axis, Const):
        return None
    if isinstance(axis.value, tuple):
        return shifted(tuple(map(Const, axis.value)))
    if type(axis.value) is not int:
        return None
    return Const(axis.value + 1) if axis.value >= 0 else axis


def is_none(x: Any) -> bool:
    return isinstance(x, Const) and x.value is None


@form(np.linalg.norm)
def norm(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, axis, rank = given["x"], given["axis"], m.rank(given["x"])
    order = given["ord"]
    if m.has([order, axis]) or not isinstance(given["keepdims"], Const) or rank is None:
        return None
    kwargs: dict[str, Operand] = {} if is_none(order) else {"ord": order}
    if given["keepdims"].value:
        kwargs["keepdims"] = Const(True)
    if not is_none(axis):
        moved = shifted(axis)
    elif rank == 1:
        moved = Const(1)
    elif rank == 2:
        moved = (Const(1), Const(2))
    else:
        moved = None
    return None if moved is None else m.b.emit(np.linalg.norm, m.read(x), **kwargs, axis=moved)


@form(np.roll)
def roll(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    names = list(given)
    x, axis = given[names[0]], given["axis"]
    if not m.has(x) or m.has(given["shift"]):
        return None
    if is_none(axis):
        if m.rank(x) != 1:
            return None
        axis = Const(0)
    moved = shifted(axis)
    return None if moved is None else m.b.emit(np.roll, m.read(x), given["shift"], axis=moved)


@form(np.average)
def average(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, weights = given["a"], given.get("weights", NONE)
    if {*op.kwargs} - {"axis", "weights"} or m.rank(x) != 1 or not m.has(x):
        return None
    if is_none(weights):
        return m.b.emit(np.mean, m.read(x), axis=Const(1))
    if m.rank(weights) != 1 or m.has(weights):
        return None
    return m.b.emit(np.average, m.read(x), axis=Const(1), weights=weights)


@form(linear.unreduce)
def unreduce(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """A cotangent of a sum, stretched over the axes that were summed."""
    c, like = given["c"], given["like"]
    rank, axis = m.rank(like), given["axis"]
    keep = given["keepdims"]
    if rank is None or m.rank(c) is None or not isinstance(keep, Const) or m.has([axis, keep]):
        return None
    if is_none(axis):
        axis = tuple(Const(i) for i in range(rank))
    moved = shifted(axis)
    if moved is None:
        return None
    x = m.read(c)
    if m.has(c):
        kind = type_of(like)
        if not isinstance(kind, Array) or kind.dtype is None:
            return None
        if not keep.value:
            own = axis if isinstance(axis, tuple) else (axis,)
            if m.rank(c) != rank - len(own):
                return None
            lost = {a.value % rank for a in own}  # type: ignore[union-attr]
            kept: list[Operand] = [slice(Const(None), Const(None), Const(None))]
            kept += [
                NONE if i in lost else slice(Const(None), Const(None), Const(None))
                for i in range(rank)
            ]
            while len(kept) > 1 and not is_none(kept[-1]):
                kept.pop()
            x = m.b.emit(operator.getitem, x, tuple(kept)) if len(kept) > 1 else x
    made = m.b.emit(np.broadcast_to, x, shape_of(m, like))
    known = type_of(c)
    return made if not isinstance(known, Array) or known.dtype == type_of(like).dtype else None  # type: ignore[union-attr]


def shape_of(m: ExampleWalker, like: Operand) -> Operand:
    """The shape of a batch of what is like this."""
    if m.has(like):
        return m.b.emit(np.ndarray.shape, m.read(like))
    return m.b.emit(operator.add, (m.k(),), m.b.emit(np.shape, like))
