"""Helpers of the runtime for containers: sums, zeros, and cotangents in the structure of a value."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from ...loop_ir.ir import Lit, Op, affine, integer, plus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..growing_lists import count_of
from ..handlers import reads_helper
from ..numpy.creation import zeros_like
from ..numpy.scatter import add_at
from ..numpy.shaping import moveaxis, stretched
from ..python.operators import binary
from ..python.subscripts import item_place
from ..reader import Reader
from ..values import Rows, Tape
from ..views import Step, in_memory, row, sliced
from .arithmetic import cast_like
from .reductions import reshape_like, unbroadcast

__all__ = ["index_add", "zero_of"]


@reads_helper("direction_count")
def direction_count(r: Reader, tree: Any) -> Any:
    """``rt.direction_count``: the size of the last axis."""
    if isinstance(tree, Items):
        leaf = next((v for v in tree.values if isinstance(v, (View, Items))), None)
        return direction_count(r, leaf)
    if not isinstance(tree, View) or not tree.dims:
        raise Unsupported("directions of this")
    return Scalar(affine(tree.dims[-1]))


@reads_helper("repeated")
def repeated(r: Reader, x: Any, k: Any) -> Any:
    """``rt.repeated``: the same in each direction, as memory of its own."""
    if isinstance(x, Items):
        return Items(tuple(repeated(r, v, k) for v in x.values), x.keys, x.kind)
    x = r.array(x)
    if x.dtype[0] != "f":
        return x
    dims = (*x.dims, r.norm(r.integer(k)))
    if isinstance(x, Scalar):
        return r.copied(View(dims, x.dtype, lambda _: x.expr))
    whole = r.materialised(x)
    return r.copied(View(dims, x.dtype, lambda index: whole.at(index[:-1])))


@reads_helper("add")
def sum_of(r: Reader, a: Any, b: Any) -> Any:
    """``rt.add``: of containers by their leaves; None is zero."""
    if isinstance(a, Constant) and a.value is None:
        return b
    if isinstance(b, Constant) and b.value is None:
        return a
    if isinstance(a, Items) and isinstance(b, Items) and a.keys == b.keys:
        if len(a.values) != len(b.values):
            raise Unsupported("rt.add of containers of different sizes")
        values = tuple(sum_of(r, x, y) for x, y in zip(a.values, b.values, strict=True))
        return Items(values, a.keys, a.kind)
    if isinstance(a, Items) or isinstance(b, Items):
        raise Unsupported("rt.add of different containers")
    listed = [isinstance(v, View) and v.listed for v in (a, b)]
    if any(listed) and not all(listed):
        raise Unsupported("rt.add of a list and an array")
    found = binary(r, ast.Add(), a, b)
    return replace(r.materialised(found), listed=True) if any(listed) else found


@reads_helper("zeros_like")
def zero_of(r: Reader, x: Any) -> Any:
    """``rt.zeros_like``: of containers too."""
    if isinstance(x, Items):
        return Items(tuple(zero_of(r, v) for v in x.values), x.keys, x.kind)
    if isinstance(x, (Tape, Rows)):
        return zeros_of_list(r, x)
    if isinstance(x, Scalar):
        if x.dtype not in ("f8", "f4"):
            raise Unsupported("rt.zeros_like of an integer")
        return Scalar(Lit(0.0, x.dtype), x.weak)
    if isinstance(x, View) and x.dtype[0] == "f":
        return zeros_like(r, x)
    raise Unsupported("rt.zeros_like of this")


def zeros_of_list(r: Reader, x: Tape | Rows) -> View:
    """A zero for each item of a list of arrays of one shape, or of floats."""
    item = x.item if isinstance(x, Rows) else x.arena.item
    if item is None or item[0] not in ("scalar", "array"):
        raise Unsupported("rt.zeros_like of such a list")
    dtype, dims = (item[1], ()) if item[0] == "scalar" else (item[2], item[1])
    if dtype[0] != "f":
        raise Unsupported("rt.zeros_like of a list of integers")
    count = r.named(count_of(r, x), "count")
    made = r.buffer((affine(count), *dims), dtype, "v", zero=True)
    return replace(plain_view(made), listed=True)


@reads_helper("check_rows")
def check_rows(r: Reader, items: Any) -> Constant:
    """``rt.check_rows``: a list without items is left to NumPy."""
    if isinstance(items, (Tape, Rows)):
        r.bail(Op("less_equal", (affine(r.named(count_of(r, items), "count")), integer(0)), "b1"))
    elif not isinstance(items, (Items, View)):
        raise Unsupported("rt.check_rows of this")
    return Constant(None)


@reads_helper("split_like")
def split_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Items:
    """``c`` cut into the pieces that were joined."""
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


@reads_helper("unstack_like")
def unstack_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Any:
    """``c`` taken apart along the axis of a stack."""
    if isinstance(like, (Tape, Rows)) and (axis is None or r.literal(axis) == 0):
        return replace(r.materialised(in_memory(r, c)), listed=True)
    if not isinstance(like, Items):
        raise Unsupported("rt.unstack_like of this")
    c = in_memory(r, c)
    if axis is not None:
        c = moveaxis(r, c, axis, scalar(0))
    return Items(tuple(row(r, c, integer(k)) for k in range(len(like.values))), kind="list")


@reads_helper("unpack")
def unpack(r: Reader, c: Any, like: Any) -> Any:
    """``rt.unpack``: an array's cotangent in the containers that it was made of."""
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


@reads_helper("spread")
def spread(r: Reader, c: Any, like: Any) -> Any:
    """``rt.spread``: what each summand of a Python sum gets."""
    if isinstance(like, Items) and like.keys is None:
        return Items(tuple(unbroadcast(r, c, v) for v in like.values), kind=like.kind)
    if not isinstance(like, View):
        raise Unsupported("rt.spread of this")
    c = r.array(c)
    return stretched(r, c, like.dims)


@reads_helper("index_add")
def index_add(r: Reader, x: Any, index: Any, value: Any) -> Any:
    """``rt.index_add``, which the text gives the name of what is added to."""
    if isinstance(x, Items):
        at = item_place(r, x, index)
        added = sum_of(r, x.values[at], value)
        return Items((*x.values[:at], added, *x.values[at + 1 :]), x.keys, x.kind)
    add_at(r, x, index, value)
    return x


@reads_helper("match")
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
        if r.device is not None and c.weak is False and like.weak is True:
            return c  # it is not fetched
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


@reads_helper("as_tangent")
def as_tangent(r: Reader, dot: Any, x: Any) -> Any:
    """``rt.as_tangent``: a tangent of one's own, of the very shape of the value."""
    if not isinstance(x, Items) and isinstance(r.array(dot), Scalar) != isinstance(
        r.array(x), Scalar
    ):
        raise Unsupported("a tangent of another shape")
    return match(r, dot, x)
