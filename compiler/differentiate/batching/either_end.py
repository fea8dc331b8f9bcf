"""Rules that are those of directions, whose axis is the last one, and of examples, whose axis is the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Stack

__all__ = ["enter"]

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
        return m.b.emit(op.fn, m.wide(arrays), axis=axis)

    @form(np.hstack, np.vstack, np.column_stack)
    def stacked(m: Any, op: Apply, given: Given) -> Any:
        (arrays,) = op.args
        stack = type_of(arrays)
        if op.kwargs or not isinstance(
            arrays if not isinstance(stack, Stack) else [], (tuple, list)
        ):
            return None
        ranks = (
            {getattr(stack.item, "rank", None)}
            if isinstance(stack, Stack)
            else {*map(m.rank, arrays)}
        )
        if ranks == {1} and op.fn is not np.hstack:
            axis = ahead + (op.fn is not np.vstack)
            return m.b.emit(np.stack, m.wide(arrays), axis=Const(axis))
        if ranks in ({1}, {2}):
            axis = ahead + (ranks != {1} and op.fn is not np.vstack)
            return m.b.emit(np.concatenate, m.wide(arrays), axis=Const(axis))
        return None
