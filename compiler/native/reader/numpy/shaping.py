"""Arrays of another shape, new arrays, and the small helpers of the runtime that are such."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...loop_ir.ir import Buffer, Lit, Op, Store, affine, integer, minus, plus, times
from ..values import (
    Constant,
    Items,
    Rows,
    Scalar,
    Tape,
    Unsupported,
    View,
    code_of,
    plain_view,
    scalar,
)
from .elementwise import cast, elementwise, is_one, literal, mapped

if TYPE_CHECKING:
    from ..reader import Reader


def size_of(dims: tuple[Any, ...]) -> Any:
    """The number of elements."""
    total = integer(1)
    for n in dims:
        total = times(total, n)
    return total


def view_of(x: View, dims: tuple[Any, ...], source: Any, whole: bool = False) -> View:
    """The same memory by another index map."""
    place = x.place
    return View(
        dims, x.dtype, lambda index: x.at(source(index)), x.buffer,
        None if place is None else lambda index: place(source(index)), whole=whole, cheap=True,
    )  # fmt: skip


def in_memory(r: Reader, x: Any) -> View:
    x = r.array(x)
    if isinstance(x, Scalar):
        raise Unsupported("a number where an array is needed")
    return x if x.cheap else r.materialised(x)  # type: ignore[no-any-return]


def shape_of(r: Reader, shape: Any) -> tuple[Any, ...]:
    """A shape that is given as a number or a tuple."""
    values = shape.values if isinstance(shape, Items) else (shape,)
    return tuple(r.norm(r.integer(v)) for v in values)


# -- axes -------------------------------------------------------------------------------


def permuted(r: Reader, x: Any, order: tuple[int, ...]) -> View:
    x = in_memory(r, x)
    back = [order.index(k) for k in range(len(order))]
    return view_of(x, tuple(x.dims[k] for k in order), lambda index: tuple(index[k] for k in back))


def transposed(r: Reader, x: Any, axes: Any = None) -> View:
    rank = len(r.array(x).dims)
    given = None if axes is None else r.literal(axes)
    order = tuple(reversed(range(rank))) if given is None else tuple(k % rank for k in given)
    return permuted(r, x, order)


def transpose_method(r: Reader, x: Any, *axes: Any) -> View:
    if not axes:
        return transposed(r, x)
    return transposed(r, x, axes[0] if isinstance(axes[0], Items) else Items(axes))


def swapaxes(r: Reader, x: Any, a: Any, b: Any) -> View:
    rank = len(r.array(x).dims)
    order = list(range(rank))
    p, q = r.literal(a) % rank, r.literal(b) % rank
    order[p], order[q] = order[q], order[p]
    return permuted(r, x, tuple(order))


def expand_dims(r: Reader, x: Any, axis: Any) -> View:
    x = in_memory(r, x)
    k = r.literal(axis) % (len(x.dims) + 1)
    dims = (*x.dims[:k], integer(1), *x.dims[k:])
    return view_of(x, dims, lambda index: (*index[:k], *index[k + 1 :]))


def squeeze(r: Reader, x: Any, axis: Any = None) -> Any:
    x = in_memory(r, x)
    if axis is None:
        raise Unsupported("np.squeeze without an axis")
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


def reshape_method(r: Reader, x: Any, *shape: Any) -> Any:
    return reshape(r, x, shape[0] if len(shape) == 1 else Items(shape))


def reshape(r: Reader, x: Any, shape: Any) -> Any:
    """A view if axes are only joined, split or 1."""
    x = r.array(x)
    if isinstance(x, Scalar):
        raise Unsupported("np.reshape of a number")
    dims = wanted(r, x, shape)
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
    return view_of(x, dims, lambda index: unravelled(linear(index, dims), x.dims))


def wanted(r: Reader, x: View, shape: Any) -> tuple[Any, ...]:
    dims = list(shape_of(r, shape))
    open_ = [k for k, n in enumerate(dims) if literal(n) == -1]
    if not open_:
        return tuple(dims)
    rest = size_of(tuple(n for k, n in enumerate(dims) if k != open_[0]))
    if literal(rest) == 1:
        dims[open_[0]] = r.norm(size_of(x.dims))
    else:
        count = Op("floor_divide", (affine(size_of(x.dims)), affine(rest)), "i8")
        r.bail(Op("less_equal", (affine(rest), integer(0)), "b1"))
        dims[open_[0]] = affine(r.named(count, "count"))
    return tuple(dims)


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


def linear(index: tuple[Any, ...], dims: tuple[Any, ...]) -> Any:
    at = integer(0)
    for i, n in zip(index, dims, strict=True):
        at = plus(times(at, n), i)
    return at


def unravelled(at: Any, dims: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index of an element by its number."""
    if len(dims) == 1:
        return (at,)
    found = []
    for n in reversed(dims[1:]):
        found.append(affine(Op("remainder", (affine(at), affine(n)), "i8")))
        at = affine(Op("floor_divide", (affine(at), affine(n)), "i8"))
    return (at, *reversed(found))


def broadcast_to(r: Reader, x: Any, shape: Any) -> View:
    return stretched(r, x, shape_of(r, shape))


def stretched(r: Reader, x: Any, dims: tuple[Any, ...]) -> View:
    from .elementwise import spread

    x = r.array(x)
    own = x.dims
    for n, m in zip(own, dims[len(dims) - len(own) :], strict=True):
        if not is_one(n):
            r.same(n, m)
    read = spread(r, x if isinstance(x, Scalar) else in_memory(r, x), dims)
    return View(dims, x.dtype, read, cheap=True)


def stretch(r: Reader, c: Any, like: Any) -> Any:
    like = r.array(like)
    if isinstance(like, Scalar):
        return c
    c = r.array(c)
    if isinstance(c, Scalar) and c.weak is True and c.dtype == "f8" and like.dtype[0] == "f":
        number = cast(c.expr, like.dtype)
        return View(like.dims, like.dtype, lambda _: number, cheap=True)
    return stretched(r, c, like.dims)


def reshape_like(r: Reader, c: Any, like: Any) -> Any:
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar):
        if isinstance(c, View) and all(map(is_one, c.dims)):
            return Scalar(r.named(c.at(tuple(integer(0) for _ in c.dims))), weak=False)
        raise Unsupported("rt.reshape_like of a number")
    if isinstance(c, Scalar):
        if not all(map(is_one, like.dims)):
            raise Unsupported("rt.reshape_like of a number")
        return View(like.dims, c.dtype, lambda _: c.expr, cheap=True)
    return reshape(r, c, Items(tuple(Scalar(affine(n)) for n in like.dims)))


# -- new arrays -----------------------------------------------------------------------------


def dtype_option(r: Reader, dtype: Any, default: str = "f8") -> str:
    if dtype is None or (isinstance(dtype, Constant) and dtype.value is None):
        return default
    return code_of(dtype.value if isinstance(dtype, Constant) else r.literal(dtype))


def zeros(r: Reader, shape: Any, dtype: Any = None) -> Any:
    code, dims = dtype_option(r, dtype), shape_of(r, shape)
    if not dims:
        return Scalar(zero_lit(code), weak=False)
    return plain_view(r.buffer(dims, code, "v", zero=True))


def zero_lit(code: str) -> Any:
    return {"f": Lit(0.0, code), "i": integer(0), "b": Lit(False, "b1")}[code[0]]


def full(r: Reader, shape: Any, value: Any, dtype: Any = None) -> Any:
    value = r.number(value)
    code, dims = dtype_option(r, dtype, value.dtype), shape_of(r, shape)
    expr = r.named(cast(value.expr, code))
    return View(dims, code, lambda _: expr) if dims else Scalar(expr, weak=False)


def ones(r: Reader, shape: Any, dtype: Any = None) -> Any:
    return full(r, shape, scalar(1.0), dtype or Constant(np.dtype(float)))


def zeros_like(r: Reader, x: Any, dtype: Any = None) -> Any:
    x = r.array(x)
    code = dtype_option(r, dtype, x.dtype)
    if not x.dims:
        return Scalar(zero_lit(code), weak=False)
    return plain_view(r.buffer(x.dims, code, "v", zero=True))


def ones_like(r: Reader, x: Any) -> Any:
    x = r.array(x)
    one = cast(Lit(1.0, "f8"), x.dtype)
    return View(x.dims, x.dtype, lambda _: one) if x.dims else Scalar(one, weak=False)


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
    from ..growing_lists import count_of

    item = x.item if isinstance(x, Rows) else x.arena.item
    if item is None or item[0] not in ("scalar", "array"):
        raise Unsupported("rt.zeros_like of such a list")
    dtype, dims = (item[1], ()) if item[0] == "scalar" else (item[2], item[1])
    if dtype[0] != "f":
        raise Unsupported("rt.zeros_like of a list of integers")
    count = r.named(count_of(r, x), "count")
    made = r.buffer((affine(count), *dims), dtype, "v", zero=True)
    return replace(plain_view(made), listed=True)


def copy(r: Reader, x: Any) -> Any:
    if isinstance(x, Items):
        return Items(tuple(copy(r, v) for v in x.values), x.keys, x.kind)
    x = r.array(x)
    return x if isinstance(x, Scalar) else r.copied(x)


def array(r: Reader, x: Any, dtype: Any = None) -> Any:
    """``np.array`` of numbers, of arrays beside each other, or of an array."""
    if isinstance(x, Items) and x.kind != "dict":
        values = [array(r, v) if isinstance(v, Items) else r.array(v) for v in x.values]
        found = stacked_rows(r, values)
    else:
        found = copy(r, x)
        if isinstance(found, Scalar):
            raise Unsupported("an array without axes")
    code = dtype_option(r, dtype, found.dtype)
    return found if code == found.dtype else astype(r, found, Constant(np.dtype(code)))


def stacked_rows(r: Reader, values: list[Any]) -> View:
    from ..calls import common

    if not values:
        raise Unsupported("an empty array")
    code = common(*values)
    dims = values[0].dims
    made = r.buffer((integer(len(values)), *dims), code, "v")
    for k, value in enumerate(values):
        if len(value.dims) != len(dims):
            raise Unsupported("rows of different shapes")
        for a, b in zip(value.dims, dims, strict=True):
            r.same(a, b)
        if isinstance(value, Scalar):
            r.emit(Store(made, (integer(k),), cast(value.expr, code)))
        else:
            r.nest(
                dims,
                partial(row_store, made, k, value),
            )
    return plain_view(made)


def row_store(made: Buffer, k: int, value: View, index: tuple[Any, ...]) -> list[Any]:
    return [Store(made, (integer(k), *index), cast(value.at(index), made.dtype))]


def part_store(made: Buffer, part: View, k: int, start: Any, index: tuple[Any, ...]) -> list[Any]:
    at = (*index[:k], plus(start, index[k]), *index[k + 1 :])
    return [Store(made, at, cast(part.at(index), made.dtype))]


def concatenate(r: Reader, arrays: Any, axis: Any = None) -> View:
    from ..calls import common

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


def diff(r: Reader, x: Any, n: Any = None, axis: Any = None) -> Any:
    x = in_memory(r, x)
    if n is not None or axis is not None or len(x.dims) != 1:
        raise Unsupported("np.diff with options")
    size = minus(x.dims[0], 1)
    r.bail(Op("less", (affine(size), integer(0)), "b1"))
    upper = view_of(x, (r.norm(size),), lambda i: (plus(i[0], 1),))
    return elementwise(r, np.subtract, upper, view_of(x, (r.norm(size),), lambda i: i))


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


def take(r: Reader, x: Any, indices: Any, axis: Any = None) -> Any:
    from ..indexing import Step, gathered, row, step_of

    x = in_memory(r, x)
    if axis is None and len(x.dims) != 1:
        raise Unsupported("np.take of a flattened matrix")
    k = 0 if axis is None else r.literal(axis) % len(x.dims)
    value = r.array(indices)
    if isinstance(value, Scalar) and k == 0:
        return row(r, x, step_of(r, value, x.dims[0]).value)
    steps = [
        step_of(r, value, n) if j == k else Step("slice", integer(0), n)
        for j, n in enumerate(x.dims)
    ]
    return gathered(r, x, steps)


def trace(r: Reader, x: Any) -> Any:
    from .joining import diagonal
    from .reductions import total

    return total(r, diagonal(r, x))


def astype(r: Reader, x: Any, dtype: Any, copy: Any = None) -> Any:
    x = r.array(x)
    code = dtype_option(r, dtype)
    if code in ("i8", "b1") and x.dtype[0] == "f":
        raise Unsupported("floats as integers")
    return mapped(r, lambda e: cast(e, code), code, (x,))


def numpy_number(r: Reader, x: Any, code: str) -> Any:
    x = r.array(x)
    return mapped(r, lambda e: cast(e, code), code, (x,))
