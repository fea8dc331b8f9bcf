"""Helpers of the runtime for containers: sums, zeros, and cotangents in the structure of a value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...loop_ir.ir import Op, affine, integer, plus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..growing_lists import count_of
from ..handlers import complex_too, reads_helper
from ..numpy.complex_numbers import real_part
from ..numpy.creation import zero_lit, zeros_like
from ..numpy.elementwise import in_dtype
from ..numpy.scatter import add_at
from ..numpy.shaping import moveaxis, stretched
from ..python.operators import binary
from ..python.subscripts import item_place
from ..reader import Reader, describe
from ..values import Either, Joined, Maybe, Rows, Tape
from ..views import Step, in_memory, row, size_of, sliced
from .arithmetic import cast_like, in_precision
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
@complex_too
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


@reads_helper("joined")
def joined(r: Reader, first: Any, second: Any) -> Any:
    """``rt.joined``: two lists, one after the other."""
    parts = [x for x in (first, second) if not (isinstance(x, Items) and not x.values)]
    if not all(isinstance(x, (Items, Tape, Rows, Joined)) for x in parts):
        raise Unsupported("rt.joined of this")
    return parts[0] if len(parts) == 1 else Joined(tuple(parts))


@reads_helper("zeros_like")
@complex_too
def zero_of(r: Reader, x: Any) -> Any:
    """``rt.zeros_like``: of containers too."""
    if isinstance(x, Items):
        return Items(tuple(zero_within(r, v) for v in x.values), x.keys, x.kind)
    if isinstance(x, Constant) and x.value is None:  # what it stands for is not there
        return scalar(0.0)
    if isinstance(x, Maybe):  # it is added to what is there
        return zero_of(r, x.value)
    if isinstance(x, Either):
        there = [s for s in (x.then, x.orelse) if not (isinstance(s, Constant) and s.value is None)]
        if len(there) == 1:
            return zero_of(r, there[0])
    if isinstance(x, (Tape, Rows)):
        return zeros_of_list(r, x)
    if isinstance(x, Scalar):
        if x.dtype not in ("f8", "f4", "c16"):
            raise Unsupported("rt.zeros_like of an integer")
        return Scalar(zero_lit(x.dtype), x.weak)
    if isinstance(x, View) and x.dtype[0] in "fc":
        return zeros_like(r, x)
    raise Unsupported(f"rt.zeros_like of {describe(x)}")


def zero_within(r: Reader, x: Any) -> Any:
    """The zero of an item of a container: what is not there has none."""
    if isinstance(x, Constant) and x.value is None:
        return x
    if isinstance(x, Either):
        return Either(x.cond, zero_within(r, x.then), zero_within(r, x.orelse))
    return Maybe(x.there, zero_within(r, x.value)) if isinstance(x, Maybe) else zero_of(r, x)


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
@complex_too
def check_rows(r: Reader, items: Any) -> Constant:
    """``rt.check_rows``: a list without items is left to NumPy."""
    if isinstance(items, (Tape, Rows)):
        r.bail(Op("less_equal", (affine(r.named(count_of(r, items), "count")), integer(0)), "b1"))
    elif not isinstance(items, (Items, View)):
        raise Unsupported("rt.check_rows of this")
    return Constant(None)


@reads_helper("split_like", "split_each")
@complex_too
def split_like(r: Reader, c: Any, like: Any, axis: Any = None) -> Items:
    """``c`` cut into the pieces that were joined."""
    if isinstance(axis, Constant) and axis.value is None:
        return taken_apart(r, c, like, lambda _: 0, size_of)
    k = 0 if axis is None else r.literal(axis)
    if not isinstance(like, Items) or not isinstance(k, int):
        raise Unsupported("rt.split_like of this")
    c = in_memory(r, c)
    k %= len(c.dims)
    parts = [r.array(part) for part in like.values]
    pieces = cut(r, c, [part.dims[k] for part in parts], k).values
    same = (in_precision(r, piece, part) for piece, part in zip(pieces, parts, strict=True))
    return Items(tuple(same), kind="list")


def cut(r: Reader, c: View, sizes: list[Any], k: int) -> Items:
    """The pieces of an array along an axis."""
    start, pieces = integer(0), []
    for n in sizes:
        steps = [
            Step("slice", start, n) if j == k else Step("slice", integer(0), m)
            for j, m in enumerate(c.dims)
        ]
        pieces.append(sliced(r, c, steps))
        start = plus(start, n)
    return Items(tuple(pieces), kind="list")


@reads_helper("hsplit_like")
@complex_too
def hsplit_like(r: Reader, c: Any, like: Any) -> Items:
    """``c`` cut into the pieces that ``np.hstack`` joined."""
    return taken_apart(
        r, c, like, lambda rank: int(rank > 1), lambda dims: dims[int(len(dims) > 1)]
    )


@reads_helper("vsplit_like")
@complex_too
def vsplit_like(r: Reader, c: Any, like: Any) -> Items:
    """``c`` cut into the pieces that ``np.vstack`` joined, vectors being rows."""
    return taken_apart(
        r, c, like, lambda _: 0, lambda dims: integer(1) if len(dims) == 1 else dims[0]
    )


@reads_helper("columns_like")
@complex_too
def columns_like(r: Reader, c: Any, like: Any) -> Items:
    """``c`` cut into the pieces that ``np.column_stack`` joined, vectors being columns."""
    return taken_apart(
        r, c, like, lambda _: 1, lambda dims: integer(1) if len(dims) == 1 else dims[1]
    )


def taken_apart(
    r: Reader,
    c: Any,
    like: Any,
    axis: Callable[[int], int],
    size: Callable[[tuple[Any, ...]], Any],
) -> Items:
    """Pieces in the shapes that they had; ``axis`` of a rank, ``size`` of these shapes along it."""
    parts = [r.array(part) for part in like.values] if isinstance(like, Items) else []
    if not parts or any(isinstance(part, Scalar) for part in parts):
        raise Unsupported("an array that is cut like this")
    c = in_memory(r, c)
    pieces = cut(r, c, [size(part.dims) for part in parts], axis(len(c.dims))).values
    shaped = (reshape_like(r, piece, part) for piece, part in zip(pieces, parts, strict=True))
    return Items(tuple(shaped), kind="list")


@reads_helper("unstack_like")
@complex_too
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
@complex_too
def spread(r: Reader, c: Any, like: Any) -> Any:
    """``rt.spread``: what each summand of a Python sum gets."""
    if isinstance(like, Items) and like.keys is None:
        return Items(tuple(unbroadcast(r, c, v) for v in like.values), kind=like.kind)
    if not isinstance(like, View):
        raise Unsupported("rt.spread of this")
    c = r.array(c)
    return stretched(r, c, like.dims)


@reads_helper("index_add")
@complex_too
def index_add(r: Reader, x: Any, index: Any, value: Any) -> Any:
    """``rt.index_add``, which the text gives the name of what is added to."""
    if isinstance(x, Items):
        at = item_place(r, x, index)
        added = sum_of(r, x.values[at], value)
        return Items((*x.values[:at], added, *x.values[at + 1 :]), x.keys, x.kind)
    add_at(r, x, index, value)
    return x


@reads_helper("match")
@complex_too
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
    if c.dtype == "c16" and like.dtype[0] == "f":
        c = real_part(r, c)
    if like.dtype == "c16":
        return complex_match(r, c, like)
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


def complex_match(r: Reader, c: Any, like: Any) -> Any:
    """The same for a complex number, or an array of them."""
    if isinstance(like, Scalar):
        if not isinstance(c, Scalar) or like.mixed:
            raise Unsupported("rt.match between kinds")
        return Scalar(cast(c.expr, "c16"), like.weak)
    if isinstance(c, Scalar) or len(c.dims) != len(like.dims):
        raise Unsupported("rt.match between shapes")
    for n, m in zip(c.dims, like.dims, strict=True):
        r.same(n, m)
    return r.copied(in_dtype(r, c, "c16"))


@reads_helper("as_tangent")
@complex_too
def as_tangent(r: Reader, dot: Any, x: Any) -> Any:
    """``rt.as_tangent``: a tangent of one's own, of the very shape of the value."""
    if not isinstance(x, Items) and isinstance(r.array(dot), Scalar) != isinstance(
        r.array(x), Scalar
    ):
        raise Unsupported("a tangent of another shape")
    return match(r, dot, x)
