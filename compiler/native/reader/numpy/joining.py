"""Arrays put together and taken apart along an axis."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...loop_ir.ir import Buffer, Op, Store, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Items, Scalar, View, common, plain_view
from ...refusal import Unsupported
from ..containers import stacked_rows
from ..handlers import reads
from ..reader import Reader
from ..values import Rows, Tape
from ..views import Step, in_memory, sliced, view_of
from .creation import array, array_of

__all__ = ["split"]


def part_store(made: Buffer, part: View, k: int, start: Any, index: tuple[Any, ...]) -> list[Any]:
    at = (*index[:k], plus(start, index[k]), *index[k + 1 :])
    return [Store(made, at, cast(part.at(index), made.dtype))]


@reads(np.concatenate)
def concatenate(r: Reader, arrays: Any, axis: Any = None) -> View:
    if not isinstance(arrays, Items):
        raise Unsupported("np.concatenate of this")
    parts = [array(r, v) if isinstance(v, Items) else r.array(v) for v in arrays.values]
    if any(isinstance(p, Scalar) for p in parts):
        raise Unsupported("np.concatenate of numbers")
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


@reads(np.stack)
def stack(r: Reader, arrays: Any, axis: Any = None) -> View:
    """``np.stack``."""
    if isinstance(arrays, (Tape, Rows)):
        if axis is not None and r.literal(axis) != 0:
            raise Unsupported("np.stack of a list along another axis")
        return r.array(array_of(r, arrays))  # type: ignore[no-any-return]
    if not isinstance(arrays, Items):
        raise Unsupported("np.stack of this")
    rows = stacked_rows(r, [r.array(v) for v in arrays.values])
    k = 0 if axis is None else r.literal(axis) % len(rows.dims)
    if k == 0:
        return rows
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
