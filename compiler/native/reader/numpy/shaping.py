"""Arrays of another shape: axes moved, joined, split and stretched."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Op, affine, integer, minus, plus
from ...loop_ir.scalar_operations import is_one, literal
from ...loop_ir.values import Items, Scalar, View, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_method
from ..options import none, shape_of
from ..reader import Reader
from ..views import Step, gathered, in_memory, row, size_of, step_of, view_of
from .axis_groups import groups, source_of, without
from .elementwise import elementwise

__all__ = ["flip", "moveaxis", "permuted", "reshape", "stretched", "take", "transposed"]


def permuted(r: Reader, x: Any, order: tuple[int, ...]) -> View:
    x = in_memory(r, x)
    back = [order.index(k) for k in range(len(order))]
    return view_of(x, tuple(x.dims[k] for k in order), lambda index: tuple(index[k] for k in back))


@reads(np.transpose)
@complex_too
def transposed(r: Reader, x: Any, axes: Any = None) -> View:
    rank = len(r.array(x).dims)
    given = None if axes is None else r.literal(axes)
    order = tuple(reversed(range(rank))) if given is None else tuple(k % rank for k in given)
    return permuted(r, x, order)


@reads_method("transpose")
@complex_too
def transpose_method(r: Reader, x: Any, *axes: Any) -> View:
    if not axes:
        return transposed(r, x)
    return transposed(r, x, axes[0] if isinstance(axes[0], Items) else Items(axes))


@reads(np.swapaxes)
@reads_method("swapaxes")
@complex_too
def swapaxes(r: Reader, x: Any, a: Any, b: Any) -> View:
    rank = len(r.array(x).dims)
    order = list(range(rank))
    p, q = r.literal(a) % rank, r.literal(b) % rank
    order[p], order[q] = order[q], order[p]
    return permuted(r, x, tuple(order))


@reads(np.expand_dims)
@complex_too
def expand_dims(r: Reader, x: Any, axis: Any) -> View:
    x = in_memory(r, x)
    found = r.literal(axis)
    axes = found if isinstance(found, tuple) else (found,)
    rank = len(x.dims) + len(axes)
    new = {k % rank for k in axes}
    if len(new) != len(axes) or not all(-rank <= k < rank for k in axes):
        raise Unsupported("an axis that is not there")
    own = iter(x.dims)
    dims = tuple(integer(1) if k in new else next(own) for k in range(rank))
    return view_of(x, dims, lambda index: tuple(i for k, i in enumerate(index) if k not in new))


@reads(np.squeeze)
@reads_method("squeeze")
@complex_too
def squeeze(r: Reader, x: Any, axis: Any = None) -> Any:
    x = in_memory(r, x)
    if none(axis) is None:
        found: Any = tuple(k for k, n in enumerate(x.dims) if is_one(n))
        for n in x.dims:
            if not is_one(n):  # it would go, too
                r.bail(Op("equal", (affine(n), integer(1)), "b1"))
    else:
        found = r.literal(axis)
    gone = {k % len(x.dims) for k in (found if isinstance(found, tuple) else (found,))}
    if not all(is_one(x.dims[k]) for k in gone):
        raise Unsupported("an axis that is not 1")
    kept = [k for k in range(len(x.dims)) if k not in gone]
    if not kept:
        return Scalar(r.named(x.at(tuple(integer(0) for _ in x.dims))), weak=False)
    where = {k: at for at, k in enumerate(kept)}
    return view_of(
        x, tuple(x.dims[k] for k in kept),
        lambda index: tuple(index[where[k]] if k in where else integer(0) for k in range(len(x.dims))),
    )  # fmt: skip


@reads(np.flip)
@complex_too
def flip(r: Reader, x: Any, axis: Any = None) -> View:
    x = in_memory(r, x)
    rank = len(x.dims)
    found = tuple(range(rank)) if axis is None else r.literal(axis)
    flipped = {k % rank for k in (found if isinstance(found, tuple) else (found,))}
    return view_of(
        x, x.dims,
        lambda index: tuple(
            minus(minus(x.dims[k], 1), i) if k in flipped else i for k, i in enumerate(index)
        ),
    )  # fmt: skip


@reads_method("reshape")
@complex_too
def reshape_method(r: Reader, x: Any, *shape: Any) -> Any:
    return reshape(r, x, shape[0] if len(shape) == 1 else Items(shape))


@reads(np.reshape)
@complex_too
def reshape(r: Reader, x: Any, shape: Any) -> Any:
    """A view if axes are only joined, split or 1."""
    x = r.array(x)
    if isinstance(x, Scalar):
        value = r.named(x.expr)
        x = View((integer(1),), x.dtype, lambda _: value, cheap=True)
    dims = wanted(r, x, shape)
    if not dims:
        raise Unsupported("np.reshape to a number")
    squeezed = [n for n in dims if not is_one(n)]
    own = [n for n in x.dims if not is_one(n)]
    if len(squeezed) == len(own) and all(
        r.norm(a) == r.norm(b) for a, b in zip(squeezed, own, strict=True)
    ):
        return respaced(r, in_memory(r, x), dims)
    x = r.materialised(x)
    if not x.whole:
        x = r.copied(x)
    if r.norm(size_of(dims)) != r.norm(size_of(x.dims)):
        r.bail(Op("not_equal", (affine(size_of(dims)), affine(size_of(x.dims))), "b1"))
    sizes, wide = [[r.norm(n) for n in shape] for shape in (x.dims, dims)]
    found = groups(sizes, wide)
    return view_of(x, dims, lambda index: source_of(index, sizes, wide, found))


@reads(np.ravel)
@reads_method("ravel")
@complex_too
def ravel(r: Reader, x: Any) -> Any:
    return reshape(r, x, scalar(-1))


@reads_method("flatten")
def flatten(r: Reader, x: Any) -> Any:
    """The same as a copy, always."""
    found = ravel(r, x)
    return View(found.dims, found.dtype, found.at) if isinstance(found, View) else found


def wanted(r: Reader, x: View, shape: Any) -> tuple[Any, ...]:
    dims = list(shape_of(r, shape))
    open_ = [k for k, n in enumerate(dims) if literal(n) == -1]
    if not open_:
        return tuple(dims)
    rest = size_of(tuple(n for k, n in enumerate(dims) if k != open_[0]))
    if literal(rest) == 1:
        dims[open_[0]] = r.norm(size_of(x.dims))
    elif (known := without(*open_sizes(r, x, dims, open_[0]))) is not None:
        r.bail(Op("less_equal", (affine(rest), integer(0)), "b1"))
        dims[open_[0]] = r.norm(known)
    else:
        count = Op("floor_divide", (affine(size_of(x.dims)), affine(rest)), "i8")
        r.bail(Op("less_equal", (affine(rest), integer(0)), "b1"))
        dims[open_[0]] = affine(r.named(count, "count"))
    return tuple(dims)


def open_sizes(r: Reader, x: View, dims: list[Any], k: int) -> tuple[list[Any], list[Any]]:
    """The sizes of an array, and those of its new shape but for the open one."""
    given = [r.norm(n) for j, n in enumerate(dims) if j != k]
    return [r.norm(n) for n in x.dims], [n for n in given if not is_one(n)]


def respaced(r: Reader, x: View, dims: tuple[Any, ...]) -> View:
    """Axes of 1 put in or left out."""
    own = [k for k, n in enumerate(x.dims) if not is_one(n)]
    new = [k for k, n in enumerate(dims) if not is_one(n)]
    where = dict(zip(own, new, strict=True))
    return view_of(
        x, dims,
        lambda index: tuple(index[where[k]] if k in where else integer(0) for k in range(len(x.dims))),
        whole=x.whole,
    )  # fmt: skip


@reads(np.broadcast_to)
@complex_too
def broadcast_to(r: Reader, x: Any, shape: Any) -> View:
    return stretched(r, x, shape_of(r, shape))


def stretched(r: Reader, x: Any, dims: tuple[Any, ...]) -> View:
    x = r.array(x)
    own = x.dims
    for n, m in zip(own, dims[len(dims) - len(own) :], strict=True):
        if not is_one(n):
            r.same(n, m)
    read = r.spread(x if isinstance(x, Scalar) else in_memory(r, x), dims)
    return View(dims, x.dtype, read, cheap=True)


@reads(np.diff)
def diff(r: Reader, x: Any, n: Any = None, axis: Any = None) -> Any:
    times = 1 if n is None else r.literal(n)
    if not 0 <= times <= 4:
        raise Unsupported("np.diff many times")
    for _ in range(times):
        x = gaps(r, in_memory(r, x), -1 if axis is None else r.literal(axis))
    return x


def gaps(r: Reader, x: View, axis: int) -> Any:
    """The differences of neighbours along an axis."""
    k = axis % len(x.dims)
    size = minus(x.dims[k], 1)
    if (literal(size) or 0) < 0:
        raise Unsupported("np.diff of nothing")
    r.bail(Op("less", (affine(size), integer(0)), "b1"))
    dims = (*x.dims[:k], r.norm(size), *x.dims[k + 1 :])
    upper = view_of(x, dims, lambda i: (*i[:k], plus(i[k], 1), *i[k + 1 :]))
    return elementwise(r, np.subtract, upper, view_of(x, dims, lambda i: i))


@reads(np.roll)
@complex_too
def roll(r: Reader, x: Any, shift: Any, axis: Any = None) -> View:
    x = in_memory(r, x)
    if len(x.dims) != 1 and axis is None:
        raise Unsupported("np.roll of a flattened matrix")
    k = 0 if axis is None else r.literal(axis)
    if not isinstance(k, int):
        raise Unsupported("np.roll along several axes")
    k %= len(x.dims)
    s, n = r.integer(shift), x.dims[k]
    r.bail(Op("less_equal", (affine(n), integer(0)), "b1"))

    def source(index: tuple[Any, ...]) -> tuple[Any, ...]:
        at = affine(Op("remainder", (minus(index[k], s), affine(n)), "i8"))
        return (*index[:k], at, *index[k + 1 :])

    return View(x.dims, x.dtype, lambda index: x.at(source(index)))


@reads(np.take)
@reads_method("take")
@complex_too
def take(r: Reader, x: Any, indices: Any, axis: Any = None) -> Any:
    axis = none(axis)
    if axis is None and len(r.array(x).dims) > 1:
        x = reshape(r, x, scalar(-1))
    x = in_memory(r, x)
    k = 0 if axis is None else r.literal(axis) % len(x.dims)
    value = r.array(indices)
    if isinstance(value, Scalar) and k == 0:
        return row(r, x, step_of(r, value, x.dims[0]).value)
    steps = [
        step_of(r, value, n) if j == k else Step("slice", integer(0), n)
        for j, n in enumerate(x.dims)
    ]
    return gathered(r, x, steps)


@reads(np.moveaxis)
@complex_too
def moveaxis(r: Reader, x: Any, source: Any, destination: Any) -> View:
    """``np.moveaxis`` of one axis."""
    rank = len(r.array(x).dims)
    a, b = r.literal(source), r.literal(destination)
    if not (isinstance(a, int) and isinstance(b, int)):
        raise Unsupported("np.moveaxis of several axes")
    order = [k for k in range(rank) if k != a % rank]
    order.insert(b % rank, a % rank)
    return permuted(r, x, tuple(order))
