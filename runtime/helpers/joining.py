"""Linear helpers of joining: what blocks, grids and ``np.r_`` are made of, and taken apart again.

``c`` is what a helper is linear in; ``like`` is read only for its structure and shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .core import cast, sum_to

__all__ = [
    "block_of",
    "blocks_like",
    "columns",
    "meshgrid",
    "numbered",
    "reshape_each",
    "row",
    "stretch_each",
    "uncolumns",
    "unmeshgrid",
    "unrow",
    "unstretch_each",
]  # fmt: skip


def row(items: Any) -> Any:
    """``np.r_[items]``.

    >>> row((1.0, np.array([2.0, 3.0])))
    array([1., 2., 3.])
    """
    return np.r_[tuple(items)]


def columns(items: Any) -> Any:
    """``np.c_[items]``.

    >>> columns((np.array([1.0, 2.0]), np.array([3.0, 4.0])))
    array([[1., 3.],
           [2., 4.]])
    """
    return np.c_[tuple(items)]


def unrow(c: Any, like: Any) -> Any:
    """The parts of ``c`` that ``np.r_`` put together from ``like``.

    >>> unrow(np.array([1.0, 2.0, 3.0]), (0.0, np.zeros(2)))
    (np.float64(1.0), array([2., 3.]))
    """
    return parted(c, like, row)


def uncolumns(c: Any, like: Any) -> Any:
    """The parts of ``c`` that ``np.c_`` put together from ``like``.

    >>> uncolumns(np.array([[1.0, 3.0], [2.0, 4.0]]), (np.zeros(2), np.zeros(2)))
    (array([1., 2.]), array([3., 4.]))
    """
    return parted(c, like, columns)


def block_of(items: Any) -> Any:
    """``np.block(items)``, of lists or tuples.

    >>> block_of([[np.ones(1), np.zeros(2)]])
    array([[1., 0., 0.]])
    """
    return np.block(listed(items))


def listed(items: Any) -> Any:
    return [listed(item) for item in items] if isinstance(items, (list, tuple)) else items


def blocks_like(c: Any, like: Any) -> Any:
    """The parts of ``c`` that `np.block` put together from the nested lists ``like``.

    >>> blocks_like(np.array([1.0, 2.0, 3.0]), [np.zeros(1), np.zeros(2)])
    [array([1.]), array([2., 3.])]
    """
    return parted(c, like, block_of)


def parted(c: Any, like: Any, join: Callable[[Any], Any]) -> Any:
    """Takes apart what ``join`` put together: numbers tell where each entry goes."""
    numbers, size = numbered_tree(like, 0)
    places = np.empty(size, np.intp)
    places[np.ravel(join(numbers))] = np.arange(size)
    return taken_tree(np.ravel(c), like, numbers, places)


def numbered_tree(like: Any, start: int) -> tuple[Any, int]:
    """The entries of nested lists of arrays, numbered one after the other, and their number."""
    if isinstance(like, (list, tuple)):
        items = []
        for item in like:
            made, start = numbered_tree(item, start)
            items.append(made)
        return type(like)(items), start
    size = int(np.size(like))
    return numbered(like) + start, start + size


def taken_tree(flat: Any, like: Any, numbers: Any, places: Any) -> Any:
    if isinstance(like, (list, tuple)):
        pairs = zip(like, numbers, strict=True)
        return type(like)(taken_tree(flat, x, n, places) for x, n in pairs)
    return cast(flat[places[numbers]], like)


def numbered(like: Any) -> Any:
    """The places of the entries of ``like``, in C order.

    >>> numbered(np.zeros((2, 2)))
    array([[0, 1],
           [2, 3]])
    """
    return np.arange(np.size(like)).reshape(np.shape(like))


# --- one array for each of several ----------------------------------------------------------


def reshape_each(cs: Any, like: Any) -> Any:
    """Every array of ``cs`` in the shape of its fellow in ``like``; zeros where it has no room.

    >>> reshape_each((np.ones(2),), (np.zeros((1, 2)),))
    (array([[1., 1.]]),)
    """
    pairs = zip(cs, like, strict=True)
    return type(like)(reshaped(c, x) for c, x in pairs)


def reshaped(c: Any, like: Any) -> Any:
    shape = np.shape(like)
    return np.reshape(c, shape) if np.size(c) == np.size(like) else np.zeros(shape)


def stretch_each(cs: Any, like: Any) -> Any:
    """Every array of ``cs`` stretched to the shape of its fellow in ``like``.

    >>> stretch_each((np.ones(1), 2.0), (np.zeros(2), np.zeros(2)))
    (array([1., 1.]), array([2., 2.]))
    """
    pairs = zip(cs, like, strict=True)
    return type(like)(np.broadcast_to(c, np.shape(x)) for c, x in pairs)


def unstretch_each(cs: Any, like: Any) -> Any:
    """Every array of ``cs`` summed down to the shape of its fellow in ``like``; a number is one for all entries.

    >>> unstretch_each((np.ones(2), 0.0), (2.0, np.ones(1)))
    (np.float64(2.0), array([0.]))
    """
    shape = np.broadcast_shapes(*map(np.shape, like))
    whole = [np.asarray(c) if np.ndim(c) else np.broadcast_to(c, shape) for c in cs]
    pairs = zip(whole, like, strict=True)
    return type(like)(cast(sum_to(c, np.shape(x)), x) for c, x in pairs)


def meshgrid(items: Any, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> Any:
    """``np.meshgrid(*items)``.

    >>> meshgrid((np.arange(2.0), np.ones(1)), "ij")
    (array([[0.],
           [1.]]), array([[1.],
           [1.]]))
    """
    make: Any = np.meshgrid
    return tuple(make(*items, indexing=indexing, sparse=sparse, copy=copy))


def unmeshgrid(cs: Any, like: Any, indexing: str = "xy") -> Any:
    """The adjoint of each coordinate of `meshgrid`, from those of the grids.

    >>> unmeshgrid((np.ones((3, 2)), np.ones((3, 2))), (np.zeros(2), np.zeros(3)))
    (array([3., 3.]), array([2., 2., 2.]))
    """
    sums = []
    for k, (c, x) in enumerate(zip(cs, like, strict=True)):
        if np.ndim(c) == 0 and not c:  # nothing comes from this grid
            sums.append(np.zeros_like(x))
            continue
        along = 1 - k if indexing == "xy" and len(like) > 1 and k < 2 else k
        total = np.sum(c, axis=tuple(i for i in range(np.ndim(c)) if i != along))
        sums.append(cast(np.reshape(total, np.shape(x)), x))
    return type(like)(sums)
