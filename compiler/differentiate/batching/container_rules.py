"""Batching rules of lists: they hold values in k directions, and are taken apart and put together as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear
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
    return m.b.emit(runtime.pack_each, nested(m, given["c"]), given["like"], m.k())


def nested(m: Walker, c: Operand) -> Operand:
    """Numbers and arrays are stretched over the directions; what is a list, or may be one, has memory for them."""
    if isinstance(c, (tuple, list)):
        return type(c)([nested(m, item) for item in c])
    plain = isinstance(c, Const) or isinstance(type_of(c), (Array, Number))
    return m.beside(c) if plain else m.wide(c)


@form(np.array)
def array(m: Walker, op: Apply, given: Given) -> Operand | None:
    """An array of numbers: each is a row of the directions, and all that are zero are one row."""
    numbers = leaves(op.args[0])
    if len(op.args) > 1 or op.kwargs or any(m.rank(x) != 0 for x in numbers):
        return None
    zeros = m.b.emit(np.zeros, m.k()) if any(map(is_zero, numbers)) else None

    def rows(x: Operand) -> Operand:
        if isinstance(x, (tuple, list)):
            return [rows(item) for item in x]
        return zeros if zeros is not None and is_zero(x) else m.wide(x)

    return m.b.emit(np.array, rows(op.args[0]))


def leaves(x: Operand) -> list[Operand]:
    return [leaf for item in x for leaf in leaves(item)] if isinstance(x, (tuple, list)) else [x]


def is_zero(x: Operand) -> bool:
    return isinstance(x, Const) and x.value == 0.0


@form(linear.unpack)
def unpack(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["like"]):
        return None
    return m.b.emit(runtime.unpack_each, m.read(given["c"]), given["like"])


@form(linear.unstack_like)
def unstack_like(m: Walker, op: Apply, given: Given) -> Operand | None:
    axis = shifted(given["axis"])
    if m.has(given["like"]) or axis is None:
        return None
    return m.b.emit(op.fn, m.read(given["c"]), like=given["like"], axis=axis)
