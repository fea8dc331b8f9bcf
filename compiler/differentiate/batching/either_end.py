"""Rules that are those of directions, whose axis is the last one, and of examples, whose axis is the first."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Stack

__all__ = ["enter"]

ALL, NEW = slice(Const(None), Const(None), Const(None)), Const(None)
Shift = Callable[[Operand], Operand | None]
Given = dict[str, Any]


def enter(
    form: Callable[..., Callable[[Callable[..., Any]], Any]], shifted: Shift, ahead: int
) -> None:
    """Put them into a table: ``shifted`` says which axis one becomes, ``ahead`` how many stand before all others."""

    @form(np.swapaxes, np.ndarray.swapaxes, np.moveaxis)
    def swapaxes(m: Any, op: Apply, given: Given) -> Any:
        x, *axes = op.args
        moved = [shifted(a) for a in axes]
        if op.kwargs or len(moved) != 2 or None in moved:
            return None
        return m.b.emit(op.fn, m.read(x), *moved)

    @form(np.concatenate, np.stack)
    def joined(m: Any, op: Apply, given: Given) -> Any:
        return join(m, op, given["arrays"], shifted(given["axis"]))

    @form(np.hstack, np.vstack, np.column_stack, np.dstack)
    def stacked(m: Any, op: Apply, given: Given) -> Any:
        if op.kwargs:
            return None
        of = of_stack if isinstance(type_of(op.args[0]), Stack) else of_pieces
        return of(m, op, op.args[0], ahead)


def join(m: Any, op: Apply, arrays: Operand, axis: Operand | None) -> Any:
    """Along an axis that is named."""
    listed = isinstance(arrays, (tuple, list))
    if not (listed or isinstance(type_of(arrays), Stack)) or axis is None or len(op.args) > 2:
        return None
    if {*op.kwargs} - {"axis", "arrays"}:
        return None
    if op.fn is np.concatenate and listed and any(m.rank(a) == 0 for a in arrays):  # type: ignore[union-attr]
        return None
    wide = pieces(m, arrays) if listed else m.wide(arrays)
    return None if wide is None else m.b.emit(op.fn, wide, axis=axis)


def of_pieces(m: Any, op: Apply, arrays: Any, ahead: int) -> Any:
    """Pieces that are written down, of several ranks."""
    found = [rank_of_piece(m, a) for a in arrays] if isinstance(arrays, (tuple, list)) else [None]
    ranks = [r for r in found if r is not None]
    wide = None if None in found else pieces(m, arrays)
    if wide is None or not ranks:
        return None
    one = new_axis(op.fn)
    if one is not None and {*ranks} == {one[0]}:
        return m.b.emit(np.stack, wide, axis=Const(ahead + one[1]))
    axis = one[1] if one is not None else max(0, min(1, max(ranks) - 1))
    grown = [m.b.emit(operator.getitem, x, new) if (new := added(op.fn, r, ahead)) else x
             for x, r in zip(wide, ranks, strict=True)]  # fmt: skip
    return m.b.emit(np.concatenate, grown, axis=Const(ahead + axis))


def of_stack(m: Any, op: Apply, arrays: Operand, ahead: int) -> Any:
    """A list that is made when it runs, of vectors or of matrices."""
    rank, one = getattr(type_of(arrays).item, "rank", None), new_axis(op.fn)  # type: ignore[union-attr]
    if op.fn is np.dstack or rank not in (1, 2):
        return None
    if one is not None and rank == one[0]:
        return m.b.emit(np.stack, m.wide(arrays), axis=Const(ahead + one[1]))
    axis = rank - 1 if one is None else one[1]
    return m.b.emit(np.concatenate, m.wide(arrays), axis=Const(ahead + axis))


def new_axis(fn: Any) -> tuple[int, int] | None:
    """The rank of what becomes one place of a new axis in a join, or where it is undone; and that axis."""
    if fn in (np.vstack, linear.vsplit_like):
        return 1, 0
    if fn in (np.column_stack, linear.columns_like, linear.uncolumns):
        return 1, 1
    return (2, 2) if fn in (np.dstack, linear.dsplit_like) else None


def added(fn: Any, rank: int, ahead: int) -> tuple[Any, ...]:
    """The subscript that gives a piece the axes with which it is joined."""
    new: tuple[Any, ...] = ()
    if fn is np.hstack:
        new = (NEW,) * (rank == 0)
    elif fn is np.vstack:
        new = (NEW,) * max(0, 2 - rank)
    elif fn is np.column_stack and rank < 2:
        new = (*(ALL,) * rank, *(NEW,) * (2 - rank))
    elif fn is np.dstack and rank < 3:
        new = ((NEW, NEW, NEW), (NEW, ALL, NEW), (ALL, ALL, NEW))[rank]
    return (*(ALL,) * ahead, *new) if new else ()


def pieces(m: Any, arrays: Any) -> list[Operand] | None:
    """What is joined, wide; None if a list among it is none of numbers."""
    made = [m.array(x) if is_list(x) else m.wide(x) for x in arrays]
    return None if None in made else made


def is_list(x: Operand) -> bool:
    """True of a list, and of what may be one."""
    return isinstance(x, (tuple, list)) or type_of(x) is None


def rank_of_piece(m: Any, x: Operand) -> int | None:
    if not isinstance(x, (tuple, list)):
        found: int | None = m.rank(x)
        return found
    inner = {rank_of_piece(m, item) for item in x}
    one = inner.pop() if len(inner) == 1 else None
    return None if one is None else one + 1
