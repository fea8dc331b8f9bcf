"""Shapes of joining and splitting: concatenate, stack, split, append, insert, delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Size, Stack, Tree, Type, promote
from .elementwise import as_type
from .shaping import (
    as_array,
    at_least_2d,
    at_least_3d,
    dims_of,
    known_axis,
    like_second,
    permute,
    plus,
    product,
    replace,
    with_dims,
)
from .table import shape

__all__ = ["join_types"]

Dims = tuple[Size, ...] | None


def join_types(types: Sequence[Type], dims: Dims) -> Array | None:
    """An array of these dims that holds elements of all ``types``."""
    arrays = [as_array(t) for t in types]
    if any(a is None for a in arrays):
        return Array(None, dims)
    kinds = [a.kind for a in arrays if a is not None]
    kind = None if None in kinds else max((k for k in kinds if k), key="bifc".index, default=None)
    return Array(promote(tuple(arrays)), dims, kind)


def joined(types: Sequence[Type], dims: list[Any], axis: Any) -> Array | None:
    """The concatenation of ``types``, whose dims count as ``dims``, along ``axis``."""
    if None in dims or not dims:
        return join_types(types, None)
    at = known_axis(axis, len(dims[0]))
    if at is None:
        return join_types(types, (None,) * len(dims[0]))
    merged = tuple(next((n for n in ns if n is not None), None) for ns in zip(*dims, strict=True))
    return join_types(types, replace(merged, at, plus(*(d[at] for d in dims))))


def items_of(xs: Any) -> tuple[Any, ...] | None:
    xs = as_type(xs)
    return xs.items if isinstance(xs, Tree) and xs.container in ("tuple", "list") else None


def lifted(xs: Any, lift: Any) -> tuple[list[Any], list[Any]] | None:
    """The types in ``xs`` and their dims after ``lift``."""
    items = items_of(xs)
    if items is None:
        return None
    dims = [dims_of(t) for t in items]
    return list(items), [None if d is None else lift(d) for d in dims]


def joined_rows(rows: Stack, lift: Any, axis: Any) -> Array | None:
    """The pieces of a list of any length, one at least: NumPy refuses none.  How far they reach is not known."""
    item = as_array(as_type(rows.item))
    dims = dims_of(item)
    if item is None or rows.keyed or dims is None:
        return None
    dims = lift(dims)
    if not dims:
        return None
    at = known_axis(axis, len(dims))
    return item.with_dims((None,) * len(dims) if at is None else replace(dims, at, None))


@shape(np.concatenate)
def _(xs: Any, axis: Any = 0) -> Type:
    if isinstance(xs, Stack):
        return joined_rows(xs, lambda d: d if axis is not None else (None,), axis or 0)
    pair = lifted(xs, (lambda d: (product(d),)) if axis is None else (lambda d: d))
    return None if pair is None else joined(*pair, 0 if axis is None else axis)


@shape(linear.meshgrid)
def _(items: Any, indexing: Any = "xy", sparse: Any = False, copy: Any = True) -> Type:
    pair = lifted(items, lambda d: d or (1,))
    if pair is None or any(d is None or len(d) != 1 for d in pair[1]):
        return None
    sizes, axes = [d[0] for d in pair[1]], list(range(len(pair[1])))
    if indexing == "xy":
        sizes[:2], axes[:2] = sizes[1::-1], axes[1::-1]
    if indexing not in ("xy", "ij") or sparse not in (True, False):
        return None
    types = [as_array(t) for t in pair[0]]
    shapes = [[n if k == at or not sparse else 1 for k, n in enumerate(sizes)] for at in axes]
    grids = [t and with_dims(t, tuple(dims)) for t, dims in zip(types, shapes, strict=True)]
    return Tree("tuple", tuple(range(len(grids))), tuple(grids))


@shape(np.vstack)
def _(xs: Any) -> Type:
    if isinstance(xs, Stack):
        return joined_rows(xs, at_least_2d, 0)
    pair = lifted(xs, at_least_2d)
    return None if pair is None else joined(*pair, 0)


@shape(np.hstack)
def _(xs: Any) -> Type:
    if isinstance(xs, Stack):
        rank = len(dims_of(as_array(as_type(xs.item))) or (1,))
        return joined_rows(xs, lambda d: d or (1,), min(rank - 1, 1))
    pair = lifted(xs, lambda d: d or (1,))
    if pair is None or None in pair[1]:
        return None if pair is None else join_types(pair[0], None)
    return joined(*pair, 0 if len(pair[1][0]) == 1 else 1)


@shape(np.dstack)
def _(xs: Any) -> Type:
    if isinstance(xs, Stack):
        return joined_rows(xs, at_least_3d, 2)
    pair = lifted(xs, at_least_3d)
    return None if pair is None else joined(*pair, 2)


@shape(np.column_stack)
def _(xs: Any) -> Type:
    if isinstance(xs, Stack):
        return joined_rows(xs, as_columns, 1)
    pair = lifted(xs, as_columns)
    return None if pair is None else joined(*pair, 1)


@shape(linear.row)
def _(items: Any) -> Type:
    """Of arrays, and of numbers among those of 64 bits, to which they do not give way."""
    pair = lifted(items, lambda d: d or (1,))
    if pair is None or None in pair[1] or len({len(d) for d in pair[1]}) != 1:
        return None
    arrays = [t for t in pair[0] if isinstance(t, Array)]
    wide = any(t.dtype in ("float64", "complex128") for t in arrays)
    return joined(*pair, 0) if wide or len(arrays) == len(pair[0]) else None


@shape(linear.columns)
def _(items: Any) -> Type:
    pair = lifted(items, as_columns)
    arrays = pair is not None and all(isinstance(t, Array) and t.rank for t in pair[0])
    return joined(*pair, -1) if pair is not None and arrays else None


def as_columns(dims: Any) -> tuple[Size, ...]:
    return dims if len(dims) > 1 else (*dims, 1) if dims else (1, 1)


@shape(np.stack)
def _(xs: Any, axis: Any = 0) -> Type:
    if isinstance(xs, Stack):
        new = known_axis(axis, len(dims_of(as_array(as_type(xs.item))) or ()) + 1)
        return joined_rows(xs, lambda d: stacked(d, new), axis)
    pair = lifted(xs, lambda d: d)
    if pair is None or None in pair[1] or not pair[1]:
        return None
    same = tuple(next((n for n in ns if n is not None), None) for ns in zip(*pair[1], strict=True))
    at = known_axis(axis, len(same) + 1)
    dims = (None,) * (len(same) + 1) if at is None else (*same[:at], len(pair[0]), *same[at:])
    return join_types(pair[0], dims)


def stacked(dims: Any, at: int | None) -> tuple[Size, ...]:
    """The dimensions of pieces that are stacked along a new axis."""
    return (*dims[: at or 0], None, *dims[at or 0 :])


@shape(np.append)
def _(arr: Type, values: Type, axis: Any = None) -> Type:
    dims = [dims_of(arr), dims_of(values)]
    if axis is None:
        dims = [None if d is None else (product(d),) for d in dims]
        return joined([arr, values], dims, 0)
    return joined([arr, values], dims, axis)


@shape(np.insert)
def insert(arr: Type, obj: Any, values: Any, axis: Any = None) -> Type:
    dims = dims_of(arr)
    if axis is None or dims is None:
        return with_dims(arr, (None,) if axis is None else None)
    at = known_axis(axis, len(dims))
    return permute(arr, None) if at is None else with_dims(arr, replace(dims, at, None))


@shape(np.delete)
def _(arr: Type, obj: Any, axis: Any = None) -> Type:
    return insert(arr, obj, None, axis)


def pieces(c: Type, like: Any) -> Type:
    """The result of the helpers that split ``c`` the way the list ``like`` was joined."""
    items = items_of(like)
    if items is None:
        return None
    parts = tuple(like_second(c, t) for t in items)
    return Tree("list", tuple(range(len(parts))), parts)


@shape(linear.split_like, linear.unstack_like, linear.vsplit_like, linear.hsplit_like)
def _(c: Type, like: Any, axis: Any = 0) -> Type:
    return Stack(None) if isinstance(like, Stack) else pieces(c, like)


@shape(linear.dsplit_like, linear.columns_like)
def _(c: Type, like: Any) -> Type:
    return pieces(c, like)


@shape(linear.unrow, linear.uncolumns, linear.blocks_like, linear.unmeshgrid, linear.unstretch_each)
def parts(c: Type, like: Any, *_options: Any) -> Type:
    """The cotangents of what stands in nested lists, in such lists."""
    whole = as_type(like)
    if not isinstance(whole, Tree) or whole.container not in ("tuple", "list"):
        return None
    found = tuple(parts(c, t) if isinstance(t, Tree) else like_second(c, t) for t in whole.items)
    return Tree(whole.container, whole.keys, found)


@shape(linear.unchoose)
def _(c: Type, a: Any, like: Any, mode: Any = None) -> Type:
    return parts(c, like)


@shape(linear.unselect)
def _(c: Type, condlist: Any, like: Any) -> Type:
    return pieces(c, like)


@shape(np.split, np.array_split)
def split(x: Type, sections: Any, axis: Any = 0) -> Type:
    dims, plain = dims_of(x), isinstance(sections, (int, tuple, list))
    at = None if dims is None else known_axis(axis, len(dims))
    if dims is None or at is None or not plain:
        return None
    n = dims[at]
    count = sections if isinstance(sections, int) else len(sections) + 1
    lengths: list[Size] = [None] * count
    if isinstance(n, int) and (isinstance(sections, int) or all_ints(sections)):
        lengths = [len(p) for p in np.array_split(np.empty(n, bool), sections)]
    parts = tuple(with_dims(x, replace(dims, at, m)) for m in lengths)
    return Tree("list", tuple(range(count)), parts)


def all_ints(xs: Any) -> bool:
    return all(isinstance(n, int) for n in xs)


@shape(np.vsplit)
def _(x: Type, sections: Any) -> Type:
    return split(x, sections, 0)


@shape(np.hsplit)
def _(x: Type, sections: Any) -> Type:
    dims = dims_of(x)
    return None if dims is None else split(x, sections, 0 if len(dims) == 1 else 1)


if hasattr(np, "unstack"):

    @shape(np.unstack)
    def unstack(x: Type, axis: Any = 0) -> Type:
        dims = dims_of(x)
        at = None if dims is None else known_axis(axis, len(dims))
        n = None if dims is None or at is None else dims[at]
        if dims is None or at is None or not isinstance(n, int):
            return None
        part = with_dims(x, dims[:at] + dims[at + 1 :])
        return Tree("tuple", tuple(range(n)), (part,) * n)


@shape(linear.insert_array)
def insert_array(x: Type, obj: Any, like: Any, axis: Any = None) -> Type:
    return insert(x, obj, like, axis)


@shape(linear.insert_values)
def insert_values(values: Type, like: Type, obj: Any, axis: Any = None) -> Type:
    inserted = insert(like, obj, values, axis)
    inexact = isinstance(inserted, Array) and inserted.kind in ("f", "c")
    return inserted if inexact else Array(None, dims_of(inserted))
