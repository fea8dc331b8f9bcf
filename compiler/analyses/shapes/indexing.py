"""Types of indexing: of arrays by every kind of index, of containers, of shapes and lengths."""

from __future__ import annotations

import builtins
import functools
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.lattice import join
from ...ir.size_names import anew
from ...ir.types import CUT, TEXT, Array, Dim, Number, Size, Stack, Tree, Type, join_dims, kind_of
from .creation import GRIDS, grid_type
from .reductions import INDEX, arrayed, axes_in, dtype_of, of, replaced, shaped_like, unknown
from .slice_sizes import sliced
from .table import UNKNOWN, shape

__all__ = ["indexed"]


# --- sizes ------------------------------------------------------------------------------


# --- getitem ----------------------------------------------------------------------------


def indexed(dims: tuple[Size, ...], index: tuple[Any, ...]) -> tuple[Size, ...] | None:
    """The dims of ``x[index]``; None if the index is not understood.

    >>> indexed((2, 3, 4), (slice(None), None, -1))
    (2, 1, 4)
    >>> indexed((2, 3, 4), (Ellipsis, Array("int64", (5, 6), "i")))
    (2, 3, 5, 6)
    """
    parts = expanded(index, len(dims))
    if parts is None:
        return None
    out: list[Size] = []
    fancy: list[tuple[Size, ...]] = []
    places: list[int] = []  # which parts take part in fancy indexing
    first, at = 0, 0
    mixed = any(isinstance(p, Array) and p.dims != () for p in parts)
    for i, part in enumerate(parts):
        if part is None:
            out.append(1)
        elif isinstance(part, slice):
            out.append(sliced(dims[at], part))
            at += 1
        elif mixed:
            first = first if places else len(out)
            places.append(i)
            fancy.append(fancy_dims(part))
            at += consumed(part)
        else:
            at += 1
    if not mixed:
        return tuple(out)
    together = places == list(range(places[0], places[-1] + 1))
    return inserted(out, first if together else 0, fancy)


def inserted(out: list[Size], first: int, fancy: list[tuple[Size, ...]]) -> tuple[Size, ...] | None:
    """The dims of slices with those of the broadcast index arrays put at ``first``."""
    shared: tuple[Size, ...] | None = ()
    for dims in fancy:
        shared = join_dims(shared, dims)
    return None if shared is None else (*out[:first], *shared, *out[first:])


def expanded(index: tuple[Any, ...], rank: int) -> list[Any] | None:
    """One part for each dimension and new axis: Ellipsis spelled out; None if in doubt."""
    parts = [index_part(part) for part in index]
    if any(p is UNKNOWN for p in parts):
        return None
    used = sum(consumed(p) for p in parts)
    missing = rank - used
    if missing < 0 or parts.count(Ellipsis) > 1:
        return None
    if Ellipsis not in parts:
        parts.append(Ellipsis)
    at = parts.index(Ellipsis)
    return parts[:at] + [slice(None)] * missing + parts[at + 1 :]


def index_part(part: Any) -> Any:
    """One index in plain form: None, Ellipsis, a slice, or an Array (an int: of no dims)."""
    if part is None or part is Ellipsis or isinstance(part, slice):
        return part
    if isinstance(part, list):
        part = np.asarray(part) if not unknown(*part) else UNKNOWN
    t = arrayed(part)
    if t is None or t.dims is None or kind_of(t) not in ("i", "b"):
        return UNKNOWN
    if kind_of(t) == "b" and t.dims == ():
        return UNKNOWN
    return Array(None, t.dims, kind_of(t))


def consumed(part: Any) -> int:
    """How many dimensions of the array an index uses up."""
    if part is None or part is Ellipsis:
        return 0
    return len(part.dims or ()) if isinstance(part, Array) and part.kind == "b" else 1


def fancy_dims(part: Array) -> tuple[Size, ...]:
    """The dims contributed by an index array: its shape, or one unknown size if it is a mask."""
    return (None,) if part.kind == "b" else part.dims or ()


def is_place(index: Any) -> bool:
    """True of a whole number, of Python's or of NumPy's."""
    of_numpy = isinstance(index, Array) and index.dims == () and index.kind == "i"
    return isinstance(index, int) or index == Number("i") or of_numpy


@shape(operator.getitem)
def getitem(x: Any, index: Any) -> Type:
    if isinstance(x, (Tree, list, tuple, dict)):
        return item_type(x, index)
    if isinstance(x, str):
        return TEXT
    if isinstance(x, Stack):
        if isinstance(index, slice):
            return x
        if x.keyed:
            return anew(x.item, {})
        return anew(x.item, {}) if is_place(index) else None
    if isinstance(x, GRIDS):
        return grid_type(x, index)
    x = arrayed(x)
    if not isinstance(x, Array):
        return None
    if isinstance(index, Tree) and index.container == "tuple":
        index = index.items
    index = tuple(map(as_part, index)) if isinstance(index, tuple) else as_part(index)
    if x.dims is None:
        return x if index is Ellipsis or index == slice(None) else x.with_dims(None)
    return x.with_dims(indexed(x.dims, index if isinstance(index, tuple) else (index,)))


def as_part(index: Any) -> Any:
    """What is known of a part of a subscript: of a slice that the run knows, that it is one."""
    if isinstance(index, Tree):
        return slice(UNKNOWN, UNKNOWN, UNKNOWN) if index == CUT else UNKNOWN
    return index


def item_type(x: Any, index: Any) -> Type:
    """The type of an item, or of a slice, of a container."""
    if isinstance(index, slice):
        return sliced_tree(x, index)
    if isinstance(index, (Array, Number)) or index is UNKNOWN:
        return None
    found = x.item(index) if isinstance(x, Tree) else x[index]
    return found if isinstance(found, (Tree, Stack)) else arrayed(found)


def sliced_tree(x: Any, index: slice) -> Tree | Stack | None:
    """The type of ``x[a:b]`` for a list or a tuple."""
    kind = x.container if isinstance(x, Tree) else "list" if isinstance(x, list) else "tuple"
    if unknown(index.start, index.stop, index.step):
        return sliced_stack(x, kind) if isinstance(x, Tree) else None
    items = x.items if isinstance(x, Tree) else tuple(item_type(x, i) for i in range(len(x)))
    if kind not in ("tuple", "list"):
        return None
    taken = items[index]
    return Tree(kind, tuple(range(len(taken))), taken)


def sliced_stack(x: Tree, kind: str) -> Stack | None:
    """The type of ``x[a:b]`` where the run knows the ends: so many numbers or arrays of one kind.

    Of a tuple of whole numbers, a shape, nothing is known: it is put together with others.
    """
    item: Any = functools.reduce(join, x.items) if x.items else None
    data = kind == "list" or (kind == "tuple" and kind_of(item) in ("f", "c"))
    several = data and isinstance(item, (Array, Number))
    return Stack(item, user=True, fixed=kind == "tuple") if several else None


@shape(np.ndarray.shape, np.shape)
def _(x: Any) -> Type:
    x = arrayed(x)
    if x is None or x.dims is None:
        return None
    sizes = tuple(Number("i", size=n if isinstance(n, Dim) else None) for n in x.dims)
    return Tree("tuple", tuple(range(len(sizes))), sizes)


@shape(np.broadcast_shapes)
def _(*shapes: Any) -> Type:
    lengths = [n for n in map(number_of_items, shapes) if n is not None]
    if len(lengths) < len(shapes):
        return None
    n = max(lengths, default=0)
    return Tree("tuple", tuple(range(n)), (Number("i"),) * n)


def number_of_items(sizes: Any) -> int | None:
    """How many dimensions there are in a shape, or in one number; None if that is not known."""
    if isinstance(sizes, Tree):
        return len(sizes.items) if sizes.container in ("tuple", "list") else None
    if isinstance(sizes, (tuple, list)):
        return len(sizes)
    return 1 if isinstance(sizes, (int, Number)) else None


@shape(builtins.len)
def _(x: Any) -> Type:
    n = x.dims[0] if isinstance(x, Array) and x.dims else None
    return Number("i", size=n if isinstance(n, Dim) else None)


@shape(linear.scatter)
def _(c: Any, like: Any, index: Any) -> Type:
    return shaped_like(c, like) if isinstance(like, Array) else unfilled(like)


def unfilled(kind: Any) -> Type:
    """A container of the same structure, of which the items are not known."""
    return replace(kind, items=tuple(map(unfilled, kind.items))) if isinstance(kind, Tree) else None


@shape(linear.write, linear.increase)
def _(x: Any, path: Any, v: Any) -> Type:
    return x if isinstance(x, Array) else None


@shape(linear.last_written)
def _(c: Any, index: Any) -> Type:
    return getitem(c, index)


@shape(linear.last_places)
def _(x: Any, index: Any) -> Type:
    part = getitem(x, index)
    return Array("int64", part.dims, "i") if isinstance(part, Array) else None


@shape(linear.index_add)
def _(buf: Any, index: Any, c: Any) -> Type:
    if isinstance(buf, Stack):
        return Stack(None)
    return buf if isinstance(buf, Array) else None


# --- places, conditions -----------------------------------------------------------------


def dims_of(indices: Any) -> tuple[Size, ...] | None:
    """The dims of an argument that may be a list."""
    if isinstance(indices, (list, tuple)):
        return None if unknown(*indices) else np.shape(indices)
    t = arrayed(indices)
    return None if t is None else t.dims


@shape(np.take, np.ndarray.take)
def _(a: Any, indices: Any, axis: Any = None, mode: Any = "raise") -> Type:
    a, dims = arrayed(a), dims_of(indices)
    if a is None or dims is None or unknown(axis):
        return a and of(dtype_of(a), None, kind_of(a))
    if axis is not None:
        if a.dims is None:
            return of(dtype_of(a), None, kind_of(a))
        (axis,) = axes_in(len(a.dims), axis)
        dims = a.dims[:axis] + dims + a.dims[axis + 1 :]
    return of(dtype_of(a), dims, kind_of(a))


@shape(np.take_along_axis)
def _(arr: Any, indices: Any, axis: Any = -1) -> Type:
    arr, indices = arrayed(arr), arrayed(indices)
    if arr is None or indices is None:
        return None
    dims = indices.dims
    if axis is not None:
        known = not (arr.dims is None or dims is None or unknown(axis))
        if known:
            (at,) = axes_in(len(dims), axis)
            dims = join_dims(replaced(arr.dims, at, 1), replaced(dims, at, 1))
            dims = replaced(dims, at, indices.dims[at])
        else:
            dims = None
    return of(dtype_of(arr), dims, kind_of(arr))


@shape(np.compress)
def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    if (a := arrayed(a)) is None:
        return None
    dims = (None,) if axis is None else replaced(a.dims, axis, None)
    return of(dtype_of(a), dims, kind_of(a))


@shape(np.ndarray.compress)
def _(a: Any, condition: Any, axis: Any = None) -> Type:
    out: Type = compress(condition, a, axis)
    return out


@shape(np.extract)
def _(condition: Any, arr: Any) -> Type:
    out: Type = compress(condition, arr)
    return out


@shape(np.unique)
def _(ar: Any) -> Type:
    return (a := arrayed(ar)) and of(dtype_of(a), (None,), kind_of(a))


@shape(linear.distinct_places)
def _(x: Any, axis: Any = None, equal_nan: Any = True) -> Type:
    shaped = np.unique(np.zeros((1, 1)), return_inverse=True)[1].ndim == 2 and axis is None
    whole = (None,) * len(a.dims) if (a := arrayed(x)) and a.dims is not None else None
    items = (of(INDEX, (None,)), of(INDEX, whole if shaped else (None,)), of(INDEX, (None,)))
    return Tree("tuple", (0, 1, 2), items)


@shape(np.flatnonzero, linear.first_places)
def _(a: Any) -> Type:
    return of(INDEX, (None,))


@shape(np.argwhere)
def _(a: Any) -> Type:
    a = arrayed(a)
    return of(INDEX, (None, len(a.dims)) if a and a.dims is not None else (None, None))


@shape(np.nonzero, np.ndarray.nonzero)
def _(a: Any) -> Type:
    a = arrayed(a)
    if a is None or not a.dims:
        return None
    places = (of(INDEX, (None,)),) * len(a.dims)
    return Tree("tuple", tuple(range(len(places))), places)


@shape(linear.untake)
def _(c: Any, like: Any, indices: Any, axis: Any = None, mode: Any = "raise") -> Type:
    return shaped_like(c, like)


@shape(linear.scatter_along_axis)
def _(c: Any, like: Any, indices: Any, axis: Any = -1) -> Type:
    return shaped_like(c, like)


@shape(linear.uncompress)
def _(c: Any, like: Any, condition: Any, axis: Any = None) -> Type:
    return shaped_like(c, like)
