"""Shapes of reshape, transpose, repeat, pad, flip and diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Dim, Number, Size, Tree, Type, dtype_of
from .table import UNKNOWN, shape

__all__ = [
    "as_array",
    "at_least_2d",
    "at_least_3d",
    "dims_of",
    "known_axis",
    "like_second",
    "permute",
    "plus",
    "product",
    "replace",
    "sizes",
    "with_dims",
]

Dims = tuple[Size, ...] | None


def as_array(x: Any) -> Array | None:
    """The type of ``np.asarray(x)``."""
    if isinstance(x, Number):
        return Array(dtype_of(x), (), x.kind)
    return x if isinstance(x, Array) else None


def with_dims(x: Any, dims: Dims) -> Array | None:
    array = as_array(x)
    return None if array is None else array.with_dims(dims)


def dims_of(x: Any) -> Dims:
    return x.dims if isinstance(x, (Array, Number)) else None


def size_of(n: Any) -> Size:
    """The size that an entry of a shape stands for."""
    if isinstance(n, Number):
        return n.size
    if isinstance(n, Dim):
        return n
    return int(n) if isinstance(n, (int, np.integer)) and not isinstance(n, bool) else None


def sizes(spelled: Any) -> Dims:
    """The dims that a ``shape`` argument stands for: an int, a tuple, or types of them.

    >>> sizes((2, Number("i", size=Dim("n")))) == (2, Dim("n"))
    True
    """
    if isinstance(spelled, Tree):
        spelled = spelled.items
    if isinstance(spelled, (tuple, list)):
        return tuple(size_of(n) for n in spelled)
    known_int = isinstance(spelled, (int, np.integer, Dim))
    if known_int or (isinstance(spelled, Number) and spelled.kind == "i"):
        return (size_of(spelled),)
    return None


def product(dims: Sequence[Size]) -> Size:
    """The number of elements, where it is one known size."""
    named = [n for n in dims if not isinstance(n, int)]
    count = int(np.prod([n for n in dims if isinstance(n, int)], dtype=int))
    if not named or count == 0:
        return count
    return named[0] if len(named) == 1 and count == 1 else None


def plus(*dims: Size) -> Size:
    """The sum of sizes, where all are known (or all but one are 0)."""
    rest = [n for n in dims if n != 0]
    if len(rest) == 1:
        return rest[0]
    if all(isinstance(n, int) for n in rest):
        return sum(n for n in rest if isinstance(n, int))
    return None


def times(n: Size, k: int) -> Size:
    return n if k == 1 else n * k if isinstance(n, int) else 0 if k == 0 else None


def known_axis(axis: Any, rank: int) -> int | None:
    """``axis`` as a non-negative int, None if it is not known."""
    if isinstance(axis, (int, np.integer)) and -rank <= axis < rank:
        return int(axis) % rank
    return None


def replace(dims: tuple[Size, ...], axis: int, size: Size) -> tuple[Size, ...]:
    return (*dims[:axis], size, *dims[axis + 1 :])


# the same shape, the shape of another, a given shape


@shape(np.flip, np.fliplr, np.flipud, np.roll)
def _(x: Type, *_args: Any, **_kwargs: Any) -> Type:
    return as_array(x)


@shape(np.tril, np.triu)
def _(m: Type, *_args: Any, **_kwargs: Any) -> Type:
    found = as_array(m)
    if isinstance(found, Array) and found.dims is not None and len(found.dims) == 1:
        return found.with_dims((*found.dims, *found.dims))  # of a row, NumPy makes a square
    return found


@shape(linear.reshape_like, linear.pad_pull, linear.tile_pull, linear.repeat_pull)
def like_second(c: Type, like: Type, *_args: Any, **_kwargs: Any) -> Type:
    inexact = isinstance(like, Array) and like.kind in ("f", "c")
    return like if inexact else Array(None, dims_of(like))


shape(
    linear.undiag, linear.undiagonal, linear.untrace, linear.delete_pull, linear.extract,
    linear.insert_array_pull, linear.insert_values_pull, linear.unsplit,
)(like_second)  # fmt: skip


@shape(linear.embed)
def _(x: Type, like: Type, axis: Any = None, last: Any = False) -> Type:
    return with_dims(x, dims_of(like))


@shape(np.reshape)
def reshape(x: Type, shape: Any) -> Type:
    new, old = sizes(shape), dims_of(x)
    if new is None or new.count(-1) != 1:
        return with_dims(x, new)
    at = new.index(-1)
    return with_dims(x, replace(new, at, left_over(old, new[:at] + new[at + 1 :])))


def left_over(old: Dims, others: tuple[Size, ...]) -> Size:
    """The size of the -1 in a reshape: what is left once the other sizes are taken out."""
    if old is None or None in old or None in others:
        return None
    rest = list(old)
    for n in others:
        if isinstance(n, Dim) and n in rest:
            rest.remove(n)
        elif isinstance(n, Dim):
            return None
    count = int(np.prod([n for n in others if isinstance(n, int)], dtype=int))
    whole = int(np.prod([n for n in rest if isinstance(n, int)], dtype=int))
    named = [n for n in rest if not isinstance(n, int)]
    if count == 0 or whole % count or (named and whole != count):
        return None
    return product(named) if named else whole // count


@shape(np.ndarray.reshape)
def _(x: Type, *shape: Any) -> Type:
    nested = len(shape) == 1 and isinstance(shape[0], (tuple, list, Tree))
    unknown = len(shape) == 1 and sizes(shape[0]) is None
    return reshape(x, UNKNOWN if unknown else shape[0] if nested else shape)


@shape(np.ndarray.ravel, np.ndarray.flatten)
def flat(x: Type) -> Type:
    dims = dims_of(x)
    return with_dims(x, (None,) if dims is None else (product(dims),))


@shape(np.ravel)
def _(x: Type) -> Type:
    return flat(as_array(x) or Array())


@shape(np.squeeze, np.ndarray.squeeze)
def squeeze(x: Type, axis: Any = None) -> Type:
    dims = dims_of(x)
    if dims is None or (axis is None and not all(surely_one_or_more(n) for n in dims)):
        return with_dims(x, None)
    if axis is None:
        return with_dims(x, tuple(n for n in dims if n != 1))
    gone = [known_axis(a, len(dims)) for a in (axis if isinstance(axis, tuple) else (axis,))]
    if None in gone:
        return with_dims(x, None)
    return with_dims(x, tuple(n for i, n in enumerate(dims) if i not in gone))


def surely_one_or_more(n: Size) -> bool:
    """True if it is known whether this size is 1."""
    return isinstance(n, int) or (isinstance(n, Dim) and n.above_one)


@shape(np.expand_dims)
def _(x: Type, axis: Any) -> Type:
    dims = dims_of(x)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if dims is None:
        return with_dims(x, None)
    new = [known_axis(a, len(dims) + len(axes)) for a in axes]
    if None in new:
        return with_dims(x, None)
    old = iter(dims)
    return with_dims(x, tuple(1 if i in new else next(old) for i in range(len(dims) + len(new))))


@shape(np.atleast_1d)
def _(x: Type) -> Type:
    return with_dims(x, dims_of(x) or (None if dims_of(x) is None else (1,)))


def at_least_2d(dims: tuple[Size, ...]) -> tuple[Size, ...]:
    return (1,) * (2 - len(dims)) + dims


def at_least_3d(dims: tuple[Size, ...]) -> tuple[Size, ...]:
    return (*at_least_2d(dims), 1) if len(dims) < 3 else dims


@shape(np.atleast_2d)
def _(x: Type) -> Type:
    dims = dims_of(x)
    return with_dims(x, None if dims is None else at_least_2d(dims))


@shape(np.atleast_3d)
def _(x: Type) -> Type:
    dims = dims_of(x)
    return with_dims(x, None if dims is None else at_least_3d(dims))


# order of the axes


@shape(np.ndarray.T)
def _(x: Type) -> Type:
    dims = dims_of(x)
    return with_dims(x, None if dims is None else dims[::-1])


def permute(x: Type, order: Any) -> Type:
    """``x`` with its axes in this order, found by moving numbers about."""
    dims = dims_of(x)
    if dims is None or order is None:
        return with_dims(x, None if dims is None else (None,) * len(dims))
    return with_dims(x, tuple(dims[i] for i in order))


def moved(x: Type, function: Any, *args: Any) -> Type:
    """``x`` as ``function`` moves its axes: tried out on an array that has an axis per size."""
    dims = dims_of(x)
    if dims is None or UNKNOWN in args or any(isinstance(a, (Array, Number, Tree)) for a in args):
        return permute(x, None)
    trial = np.empty(tuple(range(len(dims))), bool)
    return permute(x, function(trial, *args).shape)


@shape(np.transpose)
def _(x: Type, axes: Any = None) -> Type:
    return moved(x, np.transpose, axes)


@shape(np.ndarray.transpose)
def _(x: Type, *axes: Any) -> Type:
    return moved(x, np.ndarray.transpose, *axes)


@shape(np.swapaxes, np.ndarray.swapaxes)
def _(x: Type, axis1: Any, axis2: Any) -> Type:
    return moved(x, np.swapaxes, axis1, axis2)


@shape(np.moveaxis)
def _(x: Type, source: Any, destination: Any) -> Type:
    return moved(x, np.moveaxis, source, destination)


@shape(np.rollaxis)
def _(x: Type, axis: Any, start: Any = 0) -> Type:
    return moved(x, np.rollaxis, axis, start)


@shape(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT, linear.mT)
def _(x: Type) -> Type:
    return moved(x, np.matrix_transpose)


@shape(np.rot90)
def _(x: Type, k: Any = 1, axes: Any = (0, 1)) -> Type:
    dims = dims_of(x)
    if isinstance(k, int) and k % 2 == 0:
        return as_array(x)
    if dims is None or not isinstance(k, int) or not isinstance(axes, tuple):
        return permute(x, None)
    return moved(x, np.swapaxes, *axes)


# stretching


@shape(np.broadcast_to)
def _(x: Type, shape: Any, subok: Any = False) -> Type:
    return with_dims(x, sizes(shape))


@shape(np.tile)
def _(x: Type, reps: Any) -> Type:
    dims = dims_of(x)
    counts = (reps,) if isinstance(reps, int) else reps
    plain = isinstance(counts, (tuple, list)) and all(isinstance(r, int) for r in counts)
    if dims is None or not plain:
        return with_dims(x, None)
    rank = max(len(dims), len(counts))
    counts = (1,) * (rank - len(counts)) + tuple(counts)
    dims = (1,) * (rank - len(dims)) + dims
    return with_dims(x, tuple(times(n, r) for n, r in zip(dims, counts, strict=True)))


@shape(np.repeat, np.ndarray.repeat)
def _(x: Type, repeats: Any, axis: Any = None) -> Type:
    dims = dims_of(x)
    if axis is None:
        dims, axis = (None,) if dims is None else (product(dims),), 0
    at = None if dims is None else known_axis(axis, len(dims))
    if dims is None or at is None:
        return permute(x, None) if dims is not None else with_dims(x, None)
    n = times(dims[at], repeats) if isinstance(repeats, int) else None
    return with_dims(x, replace(dims, at, n))


@shape(np.pad, linear.pad)
def _(x: Type, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Type:
    dims = dims_of(x)
    if dims is None or not isinstance(pad_width, (int, tuple)):
        return permute(x, None)
    try:
        widths = np.broadcast_to(np.asarray(pad_width, int), (len(dims), 2)).sum(axis=1)
    except (TypeError, ValueError):
        return permute(x, None)
    return with_dims(x, tuple(plus(n, int(w)) for n, w in zip(dims, widths, strict=True)))


# diagonals


@shape(np.diag)
def _(v: Type, k: Any = 0) -> Type:
    dims = dims_of(v)
    if dims is None:
        return with_dims(v, None)
    if len(dims) == 1:
        n = plus(dims[0], abs(k)) if isinstance(k, int) else None
        return with_dims(v, (n, n))
    return with_dims(v, (diagonal_size(dims[0], dims[1], k),))


@shape(np.diagflat)
def _(v: Type, k: Any = 0) -> Type:
    dims = dims_of(v)
    size = None if dims is None else product(dims)
    n = plus(size, abs(k)) if isinstance(k, int) else None
    return with_dims(v, (n, n))


def diagonal_size(rows: Size, columns: Size, offset: Any) -> Size:
    if offset == 0 and isinstance(offset, int) and rows == columns:
        return rows
    if isinstance(offset, int) and isinstance(rows, int) and isinstance(columns, int):
        return max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    return None


@shape(np.diagonal, np.ndarray.diagonal)
def diagonal(x: Type, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Type:
    dims = dims_of(x)
    if dims is None:
        return with_dims(x, None)
    i, j = known_axis(axis1, len(dims)), known_axis(axis2, len(dims))
    if i is None or j is None:
        return with_dims(x, (None,) * (len(dims) - 1))
    rest = tuple(n for at, n in enumerate(dims) if at not in (i, j))
    return with_dims(x, (*rest, diagonal_size(dims[i], dims[j], offset)))


@shape(np.linalg.diagonal)
def _(x: Type, offset: Any = 0) -> Type:
    return diagonal(x, offset, -2, -1)


@shape(np.trace, np.ndarray.trace)
def trace(x: Type, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Type:
    taken = diagonal(x, offset, axis1, axis2)
    dims = dims_of(taken)
    summed = with_dims(taken, None if dims is None else dims[:-1])
    small = summed is None or summed.kind not in ("f", "c")  # integers may be widened
    return Array(None, dims_of(summed)) if small else summed


@shape(np.linalg.trace)
def _(x: Type, offset: Any = 0) -> Type:
    return trace(x, offset, -2, -1)
