"""The helpers of the runtime that move elements, as views and stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .elementwise import cast, elementwise
from .loop_ir import integer, plus
from .values import Constant, Items, Scalar, Unsupported, View, all_weak, scalar

if TYPE_CHECKING:
    from .reader import Reader

from .shaping import in_memory, zeros_like


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


def unstack_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Items:
    """``c`` taken apart along the axis of a stack."""
    from .indexing import row

    if not isinstance(like, Items) or (axis is not None and r.literal(axis) != 0):
        raise Unsupported("rt.unstack_like of this")
    c = in_memory(r, c)
    return Items(tuple(row(r, c, integer(k)) for k in range(len(like.values))), kind="list")


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
    add_at(r, x, index, value)
    return x


def scatter(r: Reader, c: Any, like: Any, index: Any) -> Any:
    """Zeros with ``c`` added at ``index``."""
    from .indexing import add_at

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
