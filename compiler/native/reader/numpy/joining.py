"""Arrays put together and taken apart along an axis."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...loop_ir.ir import Buffer, Op, Store, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Constant, Items, Scalar, View, common, plain_view, scalar
from ...refusal import Unsupported
from ..containers import stacked_rows
from ..handlers import complex_too, reads
from ..reader import Reader
from ..values import Joined, Rows, Tape
from ..views import Step, in_memory, size_of, sliced, view_of
from .creation import array, array_of
from .shaping import reshape

__all__ = ["split"]


def part_store(made: Buffer, part: View, k: int, start: Any, index: tuple[Any, ...]) -> list[Any]:
    at = (*index[:k], plus(start, index[k]), *index[k + 1 :])
    return [Store(made, at, cast(part.at(index), made.dtype))]


@reads(np.concatenate)
@complex_too
def concatenate(r: Reader, arrays: Any, axis: Any = None) -> View:
    flat = isinstance(axis, Constant) and axis.value is None
    parts = parts_of(r, arrays, None if flat else axis)
    if not parts or any(isinstance(p, Scalar) for p in parts):
        raise Unsupported("np.concatenate of numbers")
    if flat:
        parts, axis = [reshape(r, p, scalar(-1)) for p in parts], None
    code, rank = common(*parts), len(parts[0].dims)
    k = 0 if axis is None else r.literal(axis) % rank
    total = integer(0)
    starts = []
    for p in parts:
        starts.append(total)
        total = plus(total, p.dims[k])
        for j in range(rank):
            if j != k:
                r.same(p.dims[j], parts[0].dims[j])
    dims = (*parts[0].dims[:k], r.norm(total), *parts[0].dims[k + 1 :])
    made = r.buffer(dims, code, "v")
    for p, start in zip(parts, starts, strict=True):
        r.nest(
            p.dims,
            partial(part_store, made, p, k, start),
        )
    return plain_view(made)


def parts_of(r: Reader, arrays: Any, axis: Any) -> list[Any]:
    """The arrays of a list; those of one that grew are one, joined along their first axis."""
    if isinstance(arrays, Joined):
        return [part for items in arrays.parts for part in parts_of(r, items, axis)]
    if isinstance(arrays, (Tape, Rows)):
        if axis is not None and r.literal(axis) != 0:
            raise Unsupported("np.concatenate of a list along another axis")
        rows = r.array(array_of(r, arrays))
        if len(rows.dims) < 2:
            raise Unsupported("np.concatenate of numbers")
        return [joined_rows(r, rows)]
    if not isinstance(arrays, Items):
        raise Unsupported("np.concatenate of this")
    return [array(r, v) if isinstance(v, Items) else r.array(v) for v in arrays.values]


def joined_rows(r: Reader, rows: Any) -> View:
    """The first two axes as one."""
    dims = (r.norm(size_of(rows.dims[:2])), *rows.dims[2:])
    return reshape(r, rows, Items(tuple(Scalar(affine(n)) for n in dims)))  # type: ignore[no-any-return]


@reads(np.hstack)
def hstack(r: Reader, tup: Any) -> View:
    """``np.hstack``: vectors one after the other, matrices beside each other."""
    parts = joined_parts(r, tup)
    return concatenate(r, Items(tuple(parts)), scalar(0 if len(parts[0].dims) == 1 else 1))


@reads(np.vstack)
def vstack(r: Reader, tup: Any) -> View:
    """``np.vstack``: vectors are rows."""
    parts = [in_axes(p, lambda n: (integer(1), n), 1) for p in joined_parts(r, tup)]
    return concatenate(r, Items(tuple(parts)), scalar(0))


@reads(np.column_stack)
def column_stack(r: Reader, tup: Any) -> View:
    """``np.column_stack``: vectors are columns."""
    parts = [in_axes(p, lambda n: (n, integer(1)), 0) for p in joined_parts(r, tup)]
    return concatenate(r, Items(tuple(parts)), scalar(1))


def joined_parts(r: Reader, arrays: Any) -> list[View]:
    if not isinstance(arrays, Items):
        raise Unsupported("a list that is joined like this")
    parts = [array(r, v) if isinstance(v, Items) else r.array(v) for v in arrays.values]
    if not parts or any(isinstance(p, Scalar) for p in parts):
        raise Unsupported("numbers that are joined like this")
    return [in_memory(r, p) for p in parts]


def in_axes(x: View, dims: Any, kept: int) -> View:
    """A vector as a matrix of one row or column."""
    if len(x.dims) != 1:
        return x
    return view_of(x, dims(x.dims[0]), lambda index: (index[kept],))


@reads(np.stack)
@complex_too
def stack(r: Reader, arrays: Any, axis: Any = None) -> View:
    """``np.stack``."""
    if isinstance(arrays, (Tape, Rows)):
        rows = r.array(array_of(r, arrays))
    elif isinstance(arrays, Items):
        rows = stacked_rows(r, [r.array(v) for v in arrays.values])
    else:
        raise Unsupported("np.stack of this")
    k = 0 if axis is None else r.literal(axis) % len(rows.dims)
    if k == 0:
        return rows  # type: ignore[no-any-return]
    dims = (*rows.dims[1 : k + 1], rows.dims[0], *rows.dims[k + 1 :])
    return view_of(rows, dims, lambda index: (index[k], *index[:k], *index[k + 1 :]))


@reads(np.split)
def split(r: Reader, x: Any, pieces: Any, axis: Any = None) -> Items:
    """``np.split``: into equal parts, or at places that are known."""
    x = in_memory(r, x)
    k = 0 if axis is None else r.literal(axis) % len(x.dims)
    n, given = r.norm(x.dims[k]), r.literal(pieces)
    if isinstance(given, int):
        size = n.const // given if not n.terms else Op("floor_divide", (n, integer(given)), "i8")
        size = r.named(integer(size) if isinstance(size, int) else size, "piece")
        r.same(n, times(given, size))
        ends = [times(j, size) for j in range(given + 1)]
    else:
        if n.terms or any(not 0 <= e <= n.const for e in given) or sorted(given) != list(given):
            raise Unsupported("np.split at such places")
        ends = [affine(0), *map(affine, given), n]
    parts = []
    for lo, hi in pairwise(ends):
        steps = [Step("slice", integer(0), m) for m in x.dims]
        steps[k] = Step("slice", lo, r.norm(minus(hi, lo)))
        parts.append(sliced(r, x, steps))
    return Items(tuple(parts), kind="list")
