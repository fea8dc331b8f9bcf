"""Linear helpers of indexing: reading an entry, transposed, is adding to it.

``c`` is the value a helper is linear in; ``like`` is read only for its structure, shape and dtype.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..objects.pytree import with_items
from .core import FLOATS, SEQUENCES, add, zeros_like

__all__ = [
    "distinct_places", "first_places", "index_add", "scatter", "scatter_along_axis", "uncompress", "untake",
]  # fmt: skip


def scatter(c: Any, like: Any, index: Any) -> Any:
    """Zeros in the shape of ``like`` with ``c`` added at ``index``; for containers too.

    >>> scatter(np.array([1.0, 2.0]), np.zeros(3), np.array([0, 0]))
    array([3., 0., 0.])
    >>> scatter(5.0, (1.0, 2.0), 0)
    (5.0, 0.0)
    """
    if isinstance(like, (list, tuple, Mapping)):
        return scatter_item(c, like, index)
    out = zeros_for(c, like)
    if repeats(index):
        add_at(out, index, c)
    else:
        out[index] = c
    return out


def index_add(buf: Any, index: Any, c: Any) -> Any:
    """Add ``c``, of the shape of ``buf[index]``, to it in place and return ``buf``.

    Places that are named twice add up; a tuple comes back as a new one.

    >>> index_add(np.ones(3), np.array([0, 0]), np.array([2.0, 2.0]))
    array([5., 1., 1.])
    """
    kind = buf.__class__
    simple = index.__class__ is int and kind in SEQUENCES and c is not None
    if simple and buf[index].__class__ in FLOATS:
        if kind is tuple:
            items = [*buf]
            items[index] += c
            return tuple(items)
        buf[index] += c
        return buf
    if kind is not np.ndarray and isinstance(buf, (list, tuple, Mapping)):
        return index_add_item(buf, index, c)
    if not isinstance(buf, np.ndarray):  # a number
        return buf + scatter(c, buf, index)[()]
    if repeats(index):
        add_at(buf, index, c)
    else:
        buf[index] += c
    return buf


def scatter_item(c: Any, like: Any, index: Any) -> Any:
    """A container of zeros like ``like`` but for ``c`` at ``index``."""
    if isinstance(like, Mapping):
        return with_items(
            like, [c if key == index else zeros_like(item) for key, item in like.items()]
        )
    keys: Any = range(len(like))[index]
    taken = dict(zip(keys, c, strict=True)) if isinstance(index, slice) else {keys: c}
    items = [taken[i] if i in taken else zeros_like(item) for i, item in enumerate(like)]
    return rebuild(like, items)


def index_add_item(buf: Any, index: Any, c: Any) -> Any:
    """`index_add` for a list, a dict (in place) or a tuple (a new one)."""
    if isinstance(buf, Mapping) and not isinstance(buf, dict):  # one that need not be written to
        made = [add(x, c) if key == index else x for key, x in buf.items()]
        return with_items(buf, made)
    items = list(buf) if isinstance(buf, tuple) else buf
    if isinstance(index, slice):
        items[index] = [add(old, new) for old, new in zip(items[index], c, strict=True)]
    else:
        items[index] = add(items[index], c)
    return rebuild(buf, items) if isinstance(buf, tuple) else items


def rebuild(like: Any, items: list[Any]) -> Any:
    """``items`` as the kind of sequence that ``like`` is."""
    if isinstance(like, list):
        return items
    return type(like)._make(items) if hasattr(like, "_make") else tuple(items)


def zeros_for(c: Any, like: Any) -> Any:
    """Zeros in the shape of ``like`` that can hold ``c``."""
    dtype = getattr(c, "dtype", None)
    if dtype is None:
        dtype = np.result_type(getattr(like, "dtype", np.float64), np.result_type(c).type(0).item())
    return np.zeros(np.shape(like), dtype)


def repeats(index: Any) -> bool:
    """True if ``index`` may name a place twice: if it holds an array of integers.

    >>> repeats((slice(None), [0, 0])), repeats((slice(None), 0)), repeats([True, False])
    (True, False, False)
    """
    if isinstance(index, tuple):
        return any(repeats(part) for part in index)
    if isinstance(index, list):
        index = np.asarray(index)
    return isinstance(index, np.ndarray) and index.ndim > 0 and index.dtype.kind != "b"


def add_at(buf: Any, index: Any, c: Any) -> None:
    """``np.add.at(buf, index, c)``, over flat places where that is the faster way."""
    if buf.ndim == 1 or np.size(c) * 8 < buf.size or not buf.flags.c_contiguous:
        np.add.at(buf, index, c)
        return
    places = np.arange(buf.size).reshape(buf.shape)[index]
    if buf.dtype == np.float64 == np.result_type(c):
        added = np.broadcast_to(c, places.shape).ravel()
        buf += np.bincount(places.ravel(), added, buf.size).reshape(buf.shape)
        return
    np.add.at(buf.reshape(-1), places.ravel(), np.broadcast_to(c, places.shape).ravel())


def untake(c: Any, like: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """`np.take`, transposed: add ``c`` at the places that were taken.

    >>> untake(np.array([1.0, 2.0]), np.zeros(3), [4, 1], mode="wrap")
    array([0., 3., 0.])
    """
    shape = np.shape(like)
    out = zeros_for(c, like).reshape(shape if axis is not None and shape else -1)
    along = axis or 0
    where = np.asarray(indices, np.intp)
    if mode == "wrap":
        where = where % out.shape[along]
    elif mode == "clip":
        where = np.clip(where, 0, out.shape[along] - 1)
    index = (slice(None),) * (along % out.ndim) + (where,)
    if where.ndim:
        add_at(out, index, c)
    else:
        out[index] = c
    return out.reshape(shape)


def scatter_along_axis(c: Any, like: Any, indices: Any, axis: int | None = -1) -> Any:
    """`np.take_along_axis`, transposed: add ``c`` at the places that were taken.

    >>> scatter_along_axis(np.array([1.0, 2.0, 4.0]), np.zeros(2), np.array([0, 0, 1]), axis=0)
    array([3., 4.])
    """
    out = zeros_for(c, like)
    if axis is None:
        np.add.at(out.reshape(-1), indices, c)
        return out
    shape = list(np.broadcast_shapes(drop(indices.shape, axis), drop(out.shape, axis)))
    shape.insert(axis % out.ndim, indices.shape[axis])
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in shape)])
    for i, n in enumerate(out.shape):
        grid[i] = np.zeros_like(grid[i]) if n == 1 else grid[i]
    grid[axis] = indices
    add_at(out, tuple(grid), c)
    return out


def drop(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """``shape`` without one axis."""
    axis %= len(shape)
    return shape[:axis] + shape[axis + 1 :]


def uncompress(c: Any, like: Any, condition: Any, axis: int | None = None) -> Any:
    """`np.compress`, transposed: ``c`` at the chosen places, zeros elsewhere.

    >>> uncompress(np.array([7.0]), np.zeros(3), [False, True])
    array([0., 7., 0.])
    """
    chosen = np.flatnonzero(condition)
    shape = np.shape(like)
    out = zeros_for(c, like).reshape(-1 if axis is None else shape)
    along = (axis or 0) % out.ndim
    out[(slice(None),) * along + (chosen,)] = c
    return out.reshape(shape if math.prod(shape) or axis is None else out.shape)


def distinct_places(x: Any, axis: Any = None, equal_nan: bool = True) -> Any:
    """Where each distinct value, or row, comes first, which of them every one is, and how often each is there.

    >>> distinct_places(np.array([3.0, 1.0, 3.0]))
    (array([1, 0]), array([1, 0, 1]), array([1, 2]))
    """
    return np.unique(x, True, True, True, axis, equal_nan=equal_nan)[1:]


def first_places(x: Any) -> Any:
    """Where in the flattened ``x`` each of its distinct values comes first.

    >>> first_places(np.array([3.0, 1.0, 3.0]))
    array([1, 0])
    """
    return np.unique(x, return_index=True)[1]
