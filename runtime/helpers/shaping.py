"""The linear helpers that undo shaping: what reshape, concatenate, pad, tile, ... transpose to.

``c`` is the cotangent that comes back; ``like`` is read for its shape and number kind only.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import cast

__all__ = [
    "column_axis",
    "columns_like",
    "delete_pull",
    "dsplit_like",
    "embed",
    "extract",
    "hsplit_like",
    "insert_array",
    "insert_array_pull",
    "insert_values",
    "insert_values_pull",
    "inverse_axes",
    "inverse_roll",
    "mT",
    "one_tuple",
    "pad",
    "pad_pull",
    "repeat_pull",
    "reshape_like",
    "split_like",
    "tile_pull",
    "undiag",
    "undiagonal",
    "unsplit",
    "unstack_like",
    "untrace",
    "vsplit_like",
]

Value = Any
Axis = int | None


def zeros_for(c: Value, shape: tuple[int, ...]) -> np.ndarray:
    return np.zeros(shape, np.result_type(np.asarray(c), np.float16))


def reshape_like(c: Value, like: Value, order: Any = "C") -> Value:
    """``c`` in the shape of ``like``, read and filled in ``order``.

    >>> reshape_like(np.arange(4.0), np.ones((2, 2))).tolist()
    [[0.0, 1.0], [2.0, 3.0]]
    """
    return cast(np.reshape(c, np.shape(like), order=order), like)


def mT(x: Value) -> Value:
    """``x`` with its last two axes swapped.

    >>> mT(np.ones((4, 2, 3))).shape
    (4, 3, 2)
    """
    return np.swapaxes(x, -1, -2)


def inverse_axes(axes: Any, rank: int) -> Any:
    """The axes that undo ``np.transpose(x, axes)`` for an ``x`` of this rank.

    >>> inverse_axes((2, 0, 1), 3)
    (1, 2, 0)
    """
    axes = one_tuple(axes)
    if axes is None:
        return None
    places = [a % rank for a in axes]
    return tuple(sorted(range(rank), key=places.__getitem__))


def one_tuple(axes: Any) -> Any:
    """The axes of ``x.transpose(*axes)``, however they were spelled.

    >>> one_tuple(((1, 0),)), one_tuple(()), one_tuple(0)
    ((1, 0), None, (0,))
    """
    if isinstance(axes, (int, np.integer)):
        return (axes,)
    if axes is None or len(axes) == 0:
        return None
    nested = len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list)))
    return axes[0] if nested else axes


def inverse_roll(axis: int, start: int, rank: int) -> tuple[int, ...]:
    """The axes that undo ``np.rollaxis(x, axis, start)``.

    >>> inverse_roll(2, 0, 3)
    (1, 2, 0)
    """
    order = list(range(rank))
    axis, start = axis % rank, start + rank if start < 0 else start
    order.insert(start - (axis < start), order.pop(axis))
    return tuple(int(i) for i in np.argsort(order))


def column_axis(x: Value) -> int:
    """The axis along which ``np.hsplit`` cuts: 1, or 0 if there is only one."""
    return 0 if np.ndim(x) == 1 else 1


# Lists of arrays: concatenate, stack and their kin.


def split_like(c: Value, like: Sequence[Value], axis: Axis = 0) -> Value:
    """Cut ``c`` into the pieces that ``np.concatenate(like, axis)`` joined; an array has its rows joined.

    >>> split_like(np.arange(3.0), [np.ones(1), np.ones(2)])
    [array([0.]), array([1., 2.])]
    >>> split_like(np.arange(3.0), np.ones((3, 1))).shape
    (3, 1)
    """
    if axis is None:
        return cut(c, like, [(np.size(x),) for x in like], 0)
    return cut(c, like, [np.shape(x) for x in like], axis)


def cut(c: Value, like: Sequence[Value], shapes: list[Any], axis: int) -> Value:
    """The pieces of ``c``, whose joined shapes were ``shapes``, in the shapes of ``like``."""
    ends = list(itertools.accumulate(shape[axis] for shape in shapes))[:-1]
    pieces = np.split(c, ends, axis=axis)
    return held_as(like, [reshape_like(piece, x) for piece, x in zip(pieces, like, strict=True)])


def held_as(like: Sequence[Value], pieces: list[Value]) -> Value:
    """The pieces in a list, or in an array where an array was given for its rows."""
    return np.stack(pieces) if isinstance(like, np.ndarray) else pieces


def vsplit_like(c: Value, like: Sequence[Value]) -> Value:
    """Cut ``c`` into the pieces that ``np.vstack(like)`` joined."""
    return cut(c, like, [np.atleast_2d(x).shape for x in like], 0)


def hsplit_like(c: Value, like: Sequence[Value]) -> Value:
    """Cut ``c`` into the pieces that ``np.hstack(like)`` joined."""
    shapes = [np.atleast_1d(x).shape for x in like]
    return cut(c, like, shapes, 0 if len(shapes[0]) == 1 else 1)


def dsplit_like(c: Value, like: Sequence[Value]) -> Value:
    """Cut ``c`` into the pieces that ``np.dstack(like)`` joined."""
    return cut(c, like, [np.atleast_3d(x).shape for x in like], 2)


def columns_like(c: Value, like: Sequence[Value]) -> Value:
    """Cut ``c`` into the pieces that ``np.column_stack(like)`` joined."""
    shapes = [np.shape(x) if np.ndim(x) > 1 else (np.size(x), 1) for x in like]
    return cut(c, like, shapes, 1)


def unstack_like(c: Value, like: Sequence[Value], axis: int = 0) -> Value:
    """Take ``c`` apart as ``np.stack(like, axis)`` put it together.

    >>> unstack_like(np.eye(2), [np.ones(2), np.ones(2)], 1)
    [array([1., 0.]), array([0., 1.])]
    """
    rows = np.moveaxis(c, axis, 0)
    return held_as(like, [cast(row, x) for row, x in zip(rows, like, strict=True)])


def unsplit(c: Sequence[Value], like: Value, indices_or_sections: Any, axis: int = 0) -> Value:
    """Add the pieces of ``np.array_split`` back where they were cut from.

    >>> unsplit([np.ones(1), np.ones(2)], np.zeros(3), [1])
    array([1., 1., 1.])
    """
    kinds = {getattr(piece, "dtype", None) for piece in c}
    if (
        kinds == {getattr(like, "dtype", None)}
        and sum(p.shape[axis] for p in c) == like.shape[axis]
    ):
        return np.concatenate(c, axis)  # else pieces overlap, or leave gaps
    place = np.array_split(np.arange(np.shape(like)[axis]), indices_or_sections)
    out = np.moveaxis(
        np.zeros(np.shape(like), np.result_type(*map(np.asarray, c), np.float16)), axis, 0
    )
    for where, piece in zip(place, c, strict=True):
        out[where] += np.moveaxis(piece, axis, 0)
    return cast(np.moveaxis(out, 0, axis), like)


def embed(x: Value, like: Value, axis: Axis = None, last: bool = False) -> Value:
    """Zeros like ``like`` with ``x`` at the start, or the end, of ``axis`` (None: flattened).

    >>> embed(np.ones(2), np.zeros(3), 0, last=True)
    array([0., 1., 1.])
    """
    out = zeros_for(x, np.shape(like))
    out[chunk(np.shape(x), np.shape(like), axis, last)] = np.ravel(x) if axis is None else x
    return out


def extract(c: Value, like: Value, axis: Axis = None, last: bool = False) -> Value:
    """The part of ``c`` where ``embed`` would put something of the shape of ``like``."""
    return reshape_like(c[chunk(np.shape(like), np.shape(c), axis, last)], like)


def chunk(part: Any, whole: Any, axis: Axis, last: bool) -> tuple[slice, ...]:
    """The index of the first or last ``part`` of an array of shape ``whole``."""
    if axis is None:
        part, axis = (int(np.prod(part)),), 0
    size, axis = part[axis], axis % len(whole)
    here = slice(whole[axis] - size, None) if last else slice(0, size)
    return (slice(None),) * axis + (here,)


# Operations that copy elements about.  ``source`` says, for every element of the result,
# which element of the argument it is a copy of.


def add_at(source: np.ndarray, c: Value, like: Value, axis: Axis = None) -> Value:
    """Add each element of ``c`` to where it was copied from: along ``axis``, or flattened."""
    if axis is None:
        flat = zeros_for(c, (np.size(like),))
        np.add.at(flat, source.ravel(), np.ravel(c))
        return cast(flat.reshape(np.shape(like)), like)
    out = zeros_for(c, np.shape(like))
    np.add.at(np.moveaxis(out, axis, 0), source, np.moveaxis(np.asarray(c), axis, 0))
    return cast(out, like)


def pad(x: Value, pad_width: Any, mode: str = "constant") -> Value:
    """``np.pad`` where it is linear: zeros, or copies of what is there.

    >>> pad(np.ones(1), 1).tolist()
    [0.0, 1.0, 0.0]
    """
    return np.pad(x, pad_width, mode=check_pad(mode))  # type: ignore[call-overload]


def check_pad(mode: Any) -> str:
    copies = ("constant", "edge", "reflect", "symmetric", "wrap")
    if not isinstance(mode, str) or mode not in copies:
        raise UnsupportedOperation(
            f"np.pad with mode={mode!r} has no derivative here",
            fix="write the mode and the widths as constants, or join the margins yourself",
        )
    return mode


def pad_pull(c: Value, like: Value, pad_width: Any, mode: str = "constant") -> Value:
    """Bring the cotangent of the margins back to the elements they are copies of.

    >>> pad_pull(np.ones(4), np.zeros(2), 1, "edge")
    array([2., 2.])
    """
    shape, widths = np.shape(like), pad_widths(pad_width, np.ndim(like))
    if check_pad(mode) == "constant":
        inside = tuple(slice(b, b + n) for (b, _), n in zip(widths, shape, strict=True))
        return cast(c[inside], like)
    for axis, (width, n) in enumerate(zip(widths, shape, strict=True)):
        source = np.pad(np.arange(n), width, mode=mode)  # type: ignore[call-overload]
        smaller = np.empty((*c.shape[:axis], n, *c.shape[axis + 1 :]), c.dtype)
        c = add_at(source, c, smaller, axis)
    return cast(c, like)


def pad_widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """(before, after) for every axis, from any form of ``pad_width``."""
    if isinstance(pad_width, dict):
        spelled = {axis % rank: width for axis, width in pad_width.items()}
        return [both_sides(spelled.get(axis, 0)) for axis in range(rank)]
    given = np.asarray(pad_width).tolist()
    if not isinstance(given, list) or not isinstance(given[0], list):
        return [both_sides(given)] * rank
    return [both_sides(width) for width in (given * rank if len(given) == 1 else given)]


def both_sides(width: Any) -> tuple[int, int]:
    """Before and after, of which one may stand for both."""
    given = width if isinstance(width, (list, tuple)) else [width]
    return int(given[0]), int(given[-1])


def tile_pull(c: Value, like: Value, reps: Any) -> Value:
    """Sum the copies that ``np.tile(like, reps)`` made.

    >>> tile_pull(np.arange(4.0), np.zeros(2), 2)
    array([2., 4.])
    """
    counts = [int(r) for r in np.atleast_1d(reps)]
    rank = max(len(counts), np.ndim(like))
    counts = [1] * (rank - len(counts)) + counts
    shape = (1,) * (rank - np.ndim(like)) + np.shape(like)
    pairs = [size for pair in zip(counts, shape, strict=True) for size in pair]
    folded = np.sum(np.reshape(c, pairs), axis=tuple(range(0, 2 * rank, 2)))
    return reshape_like(folded, like)


def repeat_pull(c: Value, like: Value, repeats: Any, axis: Axis = None) -> Value:
    """Sum the copies that ``np.repeat(like, repeats, axis)`` made.

    >>> repeat_pull(np.ones(3), np.zeros(2), [1, 2])
    array([1., 2.])
    """
    axis = axis if np.ndim(like) else None  # a number is repeated as an array of one
    n = np.size(like) if axis is None else np.shape(like)[axis]
    return add_at(np.repeat(np.arange(n), repeats), c, like, axis)


def delete_pull(c: Value, like: Value, obj: Any, axis: Axis = None) -> Value:
    """Put ``c`` back among zeros where ``np.delete(like, obj, axis)`` left something.

    >>> delete_pull(np.ones(2), np.zeros(3), 1)
    array([1., 0., 1.])
    """
    n = np.size(like) if axis is None else np.shape(like)[axis]
    return add_at(np.delete(np.arange(n), obj), c, like, axis)


def insert_array(x: Value, obj: Any, like: Value, axis: Axis = None) -> Value:
    """``np.insert`` of zeros like ``like`` into ``x``.

    >>> insert_array(np.ones(2), 1, 5.0)
    array([1., 0., 1.])
    """
    return np.insert(np.asarray(x), obj, np.zeros_like(like), axis=axis)


def insert_values(values: Value, like: Value, obj: Any, axis: Axis = None) -> Value:
    """``np.insert`` of ``values`` into zeros like ``like``.

    >>> insert_values(3.0, np.ones(2), 1)
    array([0., 3., 0.])
    """
    zeros = np.zeros(np.shape(like), np.result_type(np.asarray(like), np.float16))
    return np.insert(zeros, obj, cast(values, zeros), axis=axis)


def insert_array_pull(c: Value, like: Value, obj: Any, values: Value, axis: Axis = None) -> Value:
    """The cotangent of what was there before ``np.insert(like, obj, values, axis)``."""
    numbered = np.arange(1, np.size(like) + 1).reshape(np.shape(like))
    source = np.insert(numbered, obj, np.zeros(np.shape(values), int), axis=axis)
    return add_at(source[source > 0] - 1, np.asarray(c)[source > 0], like)


def insert_values_pull(c: Value, like: Value, arr: Value, obj: Any, axis: Axis = None) -> Value:
    """The cotangent of the values, shaped like ``like``, that np.insert put into ``arr``."""
    numbered = np.arange(1, np.size(like) + 1).reshape(np.shape(like))
    source = np.insert(np.zeros(np.shape(arr), int), obj, numbered, axis=axis)
    return add_at(source[source > 0] - 1, np.asarray(c)[source > 0], like)


# Diagonals.


def undiag(c: Value, like: Value, k: int = 0) -> Value:
    """The transpose of ``np.diag(like, k)``: a diagonal for a vector, a matrix for a matrix.

    >>> undiag(np.array([1.0]), np.zeros((2, 2)), 1).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    return cast(np.diagonal(c, k), like) if np.ndim(like) == 1 else undiagonal(c, like, k)


def undiagonal(c: Value, like: Value, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """Zeros like ``like`` with ``c`` on the diagonal that ``np.diagonal`` would take.

    >>> undiagonal(np.ones(2), np.zeros((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    out = zeros_for(c, np.shape(like))
    rows, columns = np.shape(like)[axis1], np.shape(like)[axis2]
    i = np.arange(max(0, -offset), max(0, -offset, min(rows, columns - offset)))
    np.moveaxis(out, (axis1, axis2), (-2, -1))[..., i, i + offset] = c
    return cast(out, like)


def untrace(c: Value, like: Value, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """Zeros like ``like`` with ``c`` all along a diagonal: the transpose of ``np.trace``.

    >>> untrace(3.0, np.zeros((2, 2))).tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    return undiagonal(np.asarray(c)[..., None], like, offset, axis1, axis2)
