"""Rules of subscripts and writes on a batch: one place in every example, or another in each."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import infer, type_of
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.primitives import BUNDLE
from ...ir.types import Array, Number, Numeric, Stack, Tree
from .example_rules import ITEM, NONE, WHOLE, Given, beside, form

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["place_in", "written"]


# -- subscripts ------------------------------------------------------------------------------


def parts_of(index: Operand) -> tuple[Operand, ...]:
    return index if isinstance(index, tuple) else (index,)


def is_new_axis(p: Operand) -> bool:
    return isinstance(p, Const) and p.value is None


def is_cut(p: Operand) -> bool:
    return isinstance(p, slice) or (
        isinstance(p, Const) and (p.value is Ellipsis or isinstance(p.value, slice))
    )


def is_array_index(m: ExampleWalker, p: Operand) -> bool:
    """True if a part of a subscript is an array, or one number for each example."""
    if isinstance(p, list):
        return True
    kind = type_of(p)
    return m.has(p) or (isinstance(kind, Array) and kind.rank != 0)


def is_known(p: Operand) -> bool:
    """True if it is known what a part of a subscript is."""
    if isinstance(p, (slice, list)):
        return True
    if isinstance(p, Const):
        return not isinstance(p.value, tuple)
    kind = type_of(p)
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.rank is not None)


def within(m: ExampleWalker, index: Operand) -> tuple[Any, int] | None:
    """The subscript of one place in every example; the axis to which the examples come."""
    parts = parts_of(index)
    if not all(map(is_known, parts)):
        return None
    arrays = [k for k, p in enumerate(parts) if is_array_index(m, p)]
    if len(arrays) > 1 and any(is_truth(parts[k]) for k in arrays):
        return None
    if not arrays:
        free = isinstance(parts[0], Const) and parts[0].value is Ellipsis if parts else False
        return (parts if free else (WHOLE, *parts)), 0
    advanced = [k for k, p in enumerate(parts) if not is_cut(p) and not is_new_axis(p)]
    if not together(advanced):  # NumPy puts their axes in front of all others
        ranks = [rank_of_index(m, parts[k]) for k in advanced]
        if None in ranks:
            return None
        return (WHOLE, *parts), max(ranks)  # type: ignore[type-var,return-value]
    return (WHOLE, *parts), 0


def is_truth(p: Operand) -> bool:
    kind = type_of(p)
    return isinstance(kind, Array) and kind.kind == "b"


def together(places: list[int]) -> bool:
    return places == list(range(places[0], places[-1] + 1))


def rank_of_index(m: ExampleWalker, p: Operand) -> int | None:
    if isinstance(p, list):
        return 1 if all(m.rank(item) == 0 for item in p) else None
    return m.rank(p)


@form(operator.getitem)
def getitem(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, index = op.args
    kind = type_of(x)
    if not isinstance(kind, (Array, Numeric)):
        return of_container(m, x, index)
    if m.has(index):
        return picked(m, x, index)
    found = within(m, index)
    if found is None:
        if isinstance(index, Value) and not isinstance(type_of(index), (Array, Number)):
            return None
        return None
    places, axis = found
    made = m.b.emit(ITEM, m.read(x), places)
    return made if axis == 0 else m.b.emit(np.moveaxis, made, Const(axis), Const(0))


def of_container(m: ExampleWalker, x: Operand, index: Operand) -> Operand | None:
    if m.has(index):
        return None
    kind = type_of(x)
    if isinstance(index, slice) and isinstance(kind, Tree):
        made = m.b.emit(ITEM, m.read(x), index)
        return made if isinstance(made.type, Tree) else None
    constant = isinstance(index, Const) and type(index.value) in (int, str)
    if isinstance(kind, Stack) or (constant and isinstance(kind, Tree)):
        made = m.b.emit(ITEM, m.read(x), index)
        if isinstance(kind, Tree) and isinstance(index, Const):
            made.type = made.type or m.wider(kind.item(index.value))
        return made
    return of_bundle(m, x, index.value) if constant and m.has(x) else None  # type: ignore[union-attr]


def of_bundle(m: ExampleWalker, x: Operand, at: Any) -> Operand | None:
    """One of the batches that were put into a list a moment ago, whatever its type says."""
    whole = m.read(x)
    made = m.b.defs.get(whole) if isinstance(whole, Value) else None
    if made is None or made.fn is not BUNDLE or not isinstance(made.args[0], (tuple, list)):
        return None
    items = made.args[0]
    return items[at] if type(at) is int and -len(items) <= at < len(items) else None


def rows(m: ExampleWalker, rank: int) -> Operand:
    """The number of each example, beside subscripts with ``rank`` axes."""
    made = m.b.emit(np.arange, m.k())
    return made if rank == 0 else m.b.emit(ITEM, made, (WHOLE, *(NONE,) * rank))


def picked_places(m: ExampleWalker, index: Operand, varies: bool) -> tuple[Any, int, int] | None:
    """A subscript that varies; how many axes its arrays have, and how many axes stand before them."""
    parts = parts_of(index)
    if not all(map(is_known, parts)):
        return None
    if any(map(is_truth, parts)):
        return None
    if any(isinstance(p, (slice, list)) and m.has(parts_in(p)) for p in parts):
        return None
    advanced = [k for k, p in enumerate(parts) if not is_cut(p) and not is_new_axis(p)]
    ranks = [rank_of_index(m, parts[k]) for k in advanced]
    before = parts[: advanced[0]]
    if None in ranks or not together(advanced):
        return None
    if any(isinstance(p, Const) and p.value is Ellipsis for p in before):
        return None
    rank = max(ranks)  # type: ignore[type-var]
    assert rank is not None
    made = [beside(m, p, rank) if m.has(p) else p for p in parts]
    return ((rows(m, rank), *made) if varies else tuple(made)), rank, len(before)


def parts_in(p: Any) -> list[Operand]:
    if isinstance(p, slice):
        return [x for x in (p.start, p.stop, p.step) if x is not None]
    return list(p)


def picked(m: ExampleWalker, x: Operand, index: Operand) -> Operand | None:
    """A subscript that varies: each example reads another place."""
    found = picked_places(m, index, m.has(x))
    if found is None:
        return None
    places, rank, before = found
    made = m.b.emit(ITEM, m.read(x), places)
    if before == 0:
        return made
    if not m.has(x):  # the axes before it come first
        return m.b.emit(np.moveaxis, made, Const(before), Const(0))
    if rank == 0:
        return made
    here, there = range(1, rank + 1), range(before + 1, before + rank + 1)
    return m.b.emit(np.moveaxis, made, tuple(map(Const, here)), tuple(map(Const, there)))


# -- writing ---------------------------------------------------------------------------------


def written(m: ExampleWalker, op: Apply) -> Operand | None:
    """A write: what is written has as many axes for each example as the place has."""
    buffer, *rest = op.args
    kind = type_of(buffer)
    if op.kwargs or not isinstance(kind, Array):
        return None
    if op.fn is operator.iadd:
        return added(m, op, buffer, rest[0])
    if op.fn is linear.index_add:
        path, value, wrapped = rest[0], rest[1], False
    elif len(rest) == 2 and isinstance(rest[0], tuple):
        steps = rest[0]
        if not steps:
            return whole(m, op, buffer, rest[1])
        if len(steps) != 1 or steps[0][0].value is not operator.getitem:
            return None
        path, value, wrapped = steps[0][1], rest[1], True
    else:
        return None
    places = place_in(m, kind, path, value)
    if places is None:
        return None
    index, put = places
    if not (
        wrapped or m.has(value) or isinstance(value, Const)
    ):  # its way back expects the shape of the place
        put = m.wide(value)
    where = ((Const(operator.getitem), index),) if wrapped else index
    return m.b.emit(op.fn, m.wide(buffer), where, put)


def whole(m: ExampleWalker, op: Apply, buffer: Operand, value: Operand) -> Operand | None:
    rank = m.rank(buffer)
    if rank is None or m.rank(value) is None or (m.has(value) and m.rank(value) > rank):  # type: ignore[operator]
        return None
    return m.b.emit(op.fn, m.wide(buffer), (), beside(m, value, rank))


def added(m: ExampleWalker, op: Apply, buffer: Operand, value: Operand) -> Operand | None:
    rank, own = m.rank(buffer), m.rank(value)
    if rank is None or own is None or own > rank:
        return None
    return m.b.emit(op.fn, m.wide(buffer), beside(m, value, rank))


def place_in(
    m: ExampleWalker, buffer: Array, index: Operand, value: Operand
) -> tuple[Operand, Operand] | None:
    """The subscript of a place in the batch, and what is written there."""
    found = infer(operator.getitem, (Value("", buffer), index), {})
    rank = found.rank if isinstance(found, (Array, Number)) else None
    own = m.rank(value)
    if m.has(index):
        if is_mask(index, buffer) and not m.has(value) and own == 0:
            return m.read(index), value
        places = picked_places(m, index, True)
        if places is None or places[2] != 0:
            return None
        made = places[0]
    else:
        known = within(m, index)
        if known is None or known[1] != 0:
            return None
        made = known[0]
    if not m.has(value):
        return made, value
    if rank is None or own is None or own > rank:
        return None
    return made, beside(m, value, rank)


def is_mask(index: Operand, buffer: Array) -> bool:
    kind = type_of(index)
    return isinstance(kind, Array) and kind.kind == "b" and kind.rank == buffer.rank is not None
