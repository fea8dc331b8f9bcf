"""The helpers of the runtime that move elements, as views and stores."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..loop_ir.ir import Op, Store, integer, plus
from .numpy.elementwise import cast, elementwise
from .numpy.joining import moveaxis
from .values import (
    Constant,
    Items,
    Rows,
    Scalar,
    Tape,
    Unsupported,
    View,
    all_weak,
    plain_view,
    scalar,
)

if TYPE_CHECKING:
    from .reader import Reader

from .numpy.shaping import in_memory, zeros_like


def split_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Items:
    """``c`` cut into the pieces that were joined."""
    from .indexing import Step, sliced

    k = 0 if axis is None else r.literal(axis)
    if not isinstance(like, Items) or not isinstance(k, int):
        raise Unsupported("rt.split_like of this")
    c = in_memory(r, c)
    k %= len(c.dims)
    start, pieces = integer(0), []
    for part in like.values:
        n = r.array(part).dims[k]
        steps = [
            Step("slice", start, n) if j == k else Step("slice", integer(0), m)
            for j, m in enumerate(c.dims)
        ]
        pieces.append(sliced(r, c, steps))
        start = plus(start, n)
    return Items(tuple(pieces), kind="list")


def unstack_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Any:
    """``c`` taken apart along the axis of a stack."""
    from .indexing import row

    if isinstance(like, (Tape, Rows)) and (axis is None or r.literal(axis) == 0):
        return replace(r.materialised(in_memory(r, c)), listed=True)
    if not isinstance(like, Items):
        raise Unsupported("rt.unstack_like of this")
    c = in_memory(r, c)
    if axis is not None:
        c = moveaxis(r, c, axis, scalar(0))
    return Items(tuple(row(r, c, integer(k)) for k in range(len(like.values))), kind="list")


def unpack(r: Reader, c: Any, like: Any) -> Any:
    """``rt.unpack``: an array's cotangent in the containers that it was made of."""
    from .calls import cast_like
    from .indexing import row
    from .numpy.shaping import reshape_like

    if isinstance(like, (Tape, Rows)):
        return replace(r.materialised(in_memory(r, c)), listed=True)
    if isinstance(like, Items):
        if isinstance(c, Items):
            parts: list[Any] = list(c.values)
        else:
            c = in_memory(r, c)
            r.same(c.dims[0], integer(len(like.values)))
            parts = [row(r, c, integer(k)) for k in range(len(like.values))]
        values = tuple(unpack(r, p, x) for p, x in zip(parts, like.values, strict=True))
        return Items(values, kind=like.kind)
    c, like = r.array(c), r.array(like)
    if len(c.dims) != len(like.dims):
        c = reshape_like(r, c, like)
    return cast_like(r, c, like)


def spread(r: Reader, c: Any, like: Any) -> Any:
    """``rt.spread``: what each summand of a Python sum gets."""
    from .numpy.reductions import unbroadcast
    from .numpy.shaping import stretched

    if isinstance(like, Items) and like.keys is None:
        return Items(tuple(unbroadcast(r, c, v) for v in like.values), kind=like.kind)
    if not isinstance(like, View):
        raise Unsupported("rt.spread of this")
    c = r.array(c)
    return stretched(r, c, like.dims)


def undiff(r: Reader, c: Any, like: Any, n: Any = None, axis: Any = None) -> View:
    """``rt.undiff`` of vectors, for first differences."""
    c, like = r.array(c), r.array(like)
    once = n is None or r.literal(n) == 1
    if len(like.dims) != 1 or len(c.dims) != 1 or not once or c.dtype != like.dtype:
        raise Unsupported("rt.undiff of this")
    c = r.materialised(c)
    r.same(plus(c.dims[0], 1), like.dims[0])
    made = zeros_like(r, like)
    for shift, sign in ((1, "positive"), (0, "negative")):
        r.nest(c.dims, partial(one_difference, made.buffer, c, shift, sign))
    return plain_view(made.buffer)


def one_difference(made: Any, c: View, shift: int, sign: str, index: tuple[Any, ...]) -> list[Any]:
    value = c.at(index) if sign == "positive" else Op("negative", (c.at(index),), c.dtype)
    return [Store(made, (plus(index[0], shift),), value, "add")]


def untake(r: Reader, c: Any, like: Any, indices: Any, axis: Any = None) -> Any:
    """``np.take``, transposed."""
    from .indexing import add_at

    c, like = r.array(c), r.array(like)
    k = None if axis is None else r.literal(axis)
    if isinstance(like, Scalar) or c.dtype != like.dtype or (k is None and len(like.dims) != 1):
        raise Unsupported("rt.untake of this")
    k = 0 if k is None else k % len(like.dims)
    made = zeros_like(r, like)
    add_at(r, made, Items((*[Constant(slice(None))] * k, indices)), c)
    return made


def index_add(r: Reader, x: Any, index: Any, value: Any, add_at: Any) -> Any:
    """``rt.index_add``, which the text gives the name of what is added to."""
    if isinstance(x, Items):
        from .calls import sum_of

        at = item_place(r, x, index)
        added = sum_of(r, x.values[at], value)
        return Items((*x.values[:at], added, *x.values[at + 1 :]), x.keys, x.kind)
    add_at(r, x, index, value)
    return x


def item_place(r: Reader, x: Items, index: Any) -> int:
    """Where in a container an index is."""
    key = r.literal(index)
    if x.keys is not None:
        if key not in x.keys:
            raise Unsupported("an item that is not there")
        return x.keys.index(key)
    if not isinstance(key, int) or not -len(x.values) <= key < len(x.values):
        raise Unsupported("an item that is not there")
    return key % len(x.values)


def scatter(r: Reader, c: Any, like: Any, index: Any) -> Any:
    """Zeros with ``c`` added at ``index``."""
    from .indexing import add_at

    if isinstance(like, Items):
        from .numpy.shaping import zero_of

        zeros = zero_of(r, like)
        where = index.value if isinstance(index, Constant) else None
        if isinstance(where, slice) and like.keys is None and isinstance(c, Items):
            values = list(zeros.values)
            values[where] = c.values
            return Items(tuple(values), kind=like.kind)
        return index_add(r, zeros, index, c, add_at)
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.scatter of this")
    made = zeros_like(r, like)
    add_at(r, made, index, c)
    return made


def match(r: Reader, c: Any, like: Any) -> Any:
    """``rt.match``: a gradient of one's own in the structure, shape and precision of another value."""
    if isinstance(like, Items):
        if not isinstance(c, Items) or len(c.values) != len(like.values):
            raise Unsupported("rt.match of other containers")
        inner = c.values
        if like.keys is not None:
            known = dict(zip(c.keys or (), c.values, strict=True))
            inner = tuple(known[k] for k in like.keys)
        values = tuple(match(r, g, x) for g, x in zip(inner, like.values, strict=True))
        return Items(values, like.keys, like.kind)
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar):
        if like.dtype[0] != "f" or not isinstance(c, Scalar):
            raise Unsupported("rt.match between kinds")
        return Scalar(cast(c.expr, like.dtype), weak=like.dtype == "f8")
    if c.dtype != like.dtype and not (isinstance(c, Scalar) and like.dtype[0] == "f"):
        raise Unsupported("rt.match between dtypes")
    if isinstance(c, Scalar):
        expr = cast(c.expr, like.dtype)
        return r.copied(View(like.dims, like.dtype, lambda _: expr))
    if len(c.dims) != len(like.dims):
        raise Unsupported("rt.match between shapes")
    for n, m in zip(c.dims, like.dims, strict=True):
        r.same(n, m)
    return r.copied(c) if c.buffer is not None else c


def if_larger(r: Reader, c: Any, x: Any, y: Any) -> Any:
    """``c`` where ``x`` is the larger, half in a tie, else 0."""
    from .calls import common, where

    c, x, y = r.array(c), r.array(x), r.array(y)
    if common(c, x, y) != c.dtype:
        raise Unsupported("rt.if_larger between dtypes")
    half = elementwise(r, np.divide, c, scalar(2.0))
    tie = where(r, elementwise(r, np.equal, x, y), half, c)
    found = where(r, elementwise(r, np.less, x, y), scalar(0.0), tie)
    return Scalar(found.expr, all_weak(c, x, y)) if isinstance(found, Scalar) else found
