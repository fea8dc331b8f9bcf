"""Batching rules of lists: they hold values in k directions, and are taken apart and put together as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear, lists
from retrograd.runtime.user import batched as runtime

from ...analyses.shapes.infer import type_of
from ...analyses.shapes.number_lists import puts_number
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array, Number
from .axis_rules import shifted
from .operation_rules import Given, form

if TYPE_CHECKING:
    from .batch import Walker


@form(linear.appended)
def appended(m: Walker, op: Apply, given: Given) -> Operand | None:
    return m.b.emit(op.fn, m.wide(given["items"]), m.wide(given["item"]))


@form(lists.joined)
def joined(m: Walker, op: Apply, given: Given) -> Operand | None:
    return m.b.emit(op.fn, *map(m.wide, op.args))


@form(linear.increased_at)
def increased_at(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["path"]):
        return None
    return m.b.emit(op.fn, m.wide(given["items"]), given["path"], m.wide(given["c"]))


@form(linear.put_at, linear.replaced)
def put(m: Walker, op: Apply, given: Given) -> Operand | None:
    items, where, item = op.args
    if m.has(where) or not puts_number(op):
        return None
    return m.b.emit(op.fn, m.wide(items), where, m.wide(item))


@form(linear.pack)
def pack(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["like"]):
        return None
    kind, rows = type_of(given["like"]), of_numbers(m, given["c"])
    if rows is not None and isinstance(kind, Array) and kind.dtype == "float64":
        return m.b.emit(np.array, rows)
    return m.b.emit(runtime.pack_each, nested(m, given["c"]), given["like"], m.k())


def nested(m: Walker, c: Operand) -> Operand:
    """Numbers and arrays are stretched over the directions; what is a list, or may be one, has memory for them."""
    if isinstance(c, (tuple, list)):
        return type(c)([nested(m, item) for item in c])
    plain = isinstance(c, Const) or isinstance(type_of(c), (Array, Number))
    return m.beside(c) if plain else m.wide(c)


@form(np.array)
def array(m: Walker, op: Apply, given: Given) -> Operand | None:
    if len(op.args) > 1 or op.kwargs:
        return None
    rows = of_numbers(m, op.args[0])
    return None if rows is None else m.b.emit(np.array, rows)


def of_numbers(m: Walker, x: Operand) -> Operand | None:
    """Nested lists of numbers: each is a row of the directions, and all that are zero are one row."""
    numbers = leaves(x)
    if not isinstance(x, (tuple, list)) or any(m.rank(leaf) != 0 for leaf in numbers):
        return None
    zeros = m.b.emit(np.zeros, m.k()) if any(map(is_zero, numbers)) else None

    def rows(x: Operand) -> Operand:
        if isinstance(x, (tuple, list)):
            return [rows(item) for item in x]
        return zeros if zeros is not None and is_zero(x) else m.wide(x)

    return rows(x)


def leaves(x: Operand) -> list[Operand]:
    return [leaf for item in x for leaf in leaves(item)] if isinstance(x, (tuple, list)) else [x]


def is_zero(x: Operand) -> bool:
    return isinstance(x, Const) and x.value == 0.0


@form(linear.unpack)
def unpack(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["like"]):
        return None
    return m.b.emit(runtime.unpack_each, m.read(given["c"]), given["like"])


@form(linear.split_like)
def split_like(m: Walker, op: Apply, given: Given) -> Operand | None:
    """Of a list of arrays, along an axis that is counted from the front."""
    like, axis = given["like"], given["axis"]
    at = axis.value if isinstance(axis, Const) else axis
    if m.has(like) or not isinstance(like, list) or type(at) is not int or at < 0:
        return None
    if not all(m.rank(x) for x in like):
        return None
    return m.b.emit(runtime.split_each, m.read(given["c"]), like=like, axis=Const(at))


@form(linear.unstack_like)
def unstack_like(m: Walker, op: Apply, given: Given) -> Operand | None:
    axis = shifted(given["axis"])
    if m.has(given["like"]) or axis is None:
        return None
    return m.b.emit(op.fn, m.read(given["c"]), like=given["like"], axis=axis)
