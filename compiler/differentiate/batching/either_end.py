"""Rules that are those of directions, whose axis is the last one, and of examples, whose axis is the first."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Stack

__all__ = ["enter"]

ALL, NEW = slice(Const(None), Const(None), Const(None)), Const(None)
AXIS = {np.hstack: 1, np.vstack: 0, np.column_stack: 1, np.dstack: 2}
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
        arrays, axis = given["arrays"], shifted(given["axis"])
        listed = isinstance(arrays, (tuple, list))
        if not (listed or isinstance(type_of(arrays), Stack)) or axis is None or len(op.args) > 2:
            return None
        if {*op.kwargs} - {"axis", "arrays"}:
            return None
        if op.fn is np.concatenate and listed and any(m.rank(a) == 0 for a in arrays):
            return None
        wide = pieces(m, arrays) if listed else m.wide(arrays)
        return None if wide is None else m.b.emit(op.fn, wide, axis=axis)

    @form(np.hstack, np.vstack, np.column_stack, np.dstack)
    def stacked(m: Any, op: Apply, given: Given) -> Any:
        (arrays,) = op.args
        if op.kwargs or not isinstance(arrays, (tuple, list)):
            return None
        ranks = [rank_of_piece(m, a) for a in arrays]
        wide = pieces(m, arrays)
        if None in ranks or wide is None:
            return None
        axis = AXIS[op.fn] if op.fn is not np.hstack or max(ranks) > 1 else 0
        if op.fn is not np.hstack and {*ranks} == {axis}:  # each is one place of a new axis
            return m.b.emit(np.stack, wide, axis=Const(ahead + axis))
        grown = [m.b.emit(operator.getitem, x, new) if (new := added(op.fn, r, ahead)) else x
                 for x, r in zip(wide, ranks, strict=True)]  # fmt: skip
        return m.b.emit(np.concatenate, grown, axis=Const(ahead + axis))


def added(fn: Any, rank: int, ahead: int) -> tuple[Any, ...]:
    """The subscript that gives a piece the axes with which it is joined."""
    if fn is np.hstack:
        new = (NEW,) if rank == 0 else ()
    elif fn is np.vstack:
        new = (NEW,) * max(0, 2 - rank)
    elif fn is np.column_stack:
        new = (*(ALL,) * rank, *(NEW,) * (2 - rank)) if rank < 2 else ()
    else:
        new = {0: (NEW, NEW, NEW), 1: (NEW, ALL, NEW), 2: (ALL, ALL, NEW)}.get(rank, ())
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
