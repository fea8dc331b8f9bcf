"""Sums, products, extremes over axes: accumulators in scalars where the axes come last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...loop_ir.ir import Accumulate, For, Get, Lit, Op, Set, Store, affine, integer, minus, times
from ..values import Constant, Scalar, Unsupported, View, plain_view, scalar
from .elementwise import cast, elementwise, is_one

if TYPE_CHECKING:
    from ..reader import Reader

__all__ = [
    "add_reduce", "cumsum", "extreme", "extreme_reduce", "mean", "product_reduce", "reduced",
    "total", "unbroadcast", "unreduce",
]  # fmt: skip


def axes_of(r: Reader, value: View, axis: Any) -> tuple[int, ...]:
    """The axes of a reduction, not negative."""
    found = None if axis is None else r.literal(axis)
    rank = len(value.dims)
    if found is None:
        return tuple(range(rank))
    axes = found if isinstance(found, tuple) else (found,)
    if any(not -rank <= a < rank for a in axes):
        raise Unsupported("an axis that is not there")
    return tuple(sorted({a % rank for a in axes}))


def reduced(r: Reader, op: str, value: View, axes: tuple[int, ...], keep: bool, start: Any) -> Any:
    """``value`` reduced over ``axes``; ``start`` is the neutral element, or None: there is none."""
    if start is None:
        for a in axes:
            n = r.norm(value.dims[a])
            if n.terms or n.const < 1:
                r.bail(Op("less_equal", (n, integer(0)), "b1"))
        start = Lit(-np.inf if op == "maximum" else np.inf, value.dtype)
    rest = tuple(k for k in range(len(value.dims)) if k not in axes)
    dims = tuple(value.dims[k] for k in rest)
    if not rest:
        var = r.fresh("sum", value.dtype)
        r.mutable.add(var.name)
        r.emit(Set(var, start))
        r.nest(value.dims, lambda index: [Accumulate(var, op, value.at(index))])
        found: Any = Scalar(var, weak=False)
        if keep:
            return View(tuple(integer(1) for _ in axes), value.dtype, lambda _: var, cheap=True)
        return found
    made = (trailing if max(rest) < min(axes) else leading)(r, op, value, axes, rest, dims, start)
    if not keep:
        return made
    kept = tuple(integer(1) if k in axes else n for k, n in enumerate(value.dims))
    return View(kept, value.dtype, lambda index: made.at(tuple(index[k] for k in rest)), cheap=True)


def trailing(r: Reader, op: str, value: View, axes: Any, rest: Any, dims: Any, start: Any) -> View:
    """Over the last axes: one accumulator at a time."""
    made = r.buffer(dims, value.dtype, "sum")
    var = r.fresh("acc", value.dtype)
    r.mutable.add(var.name)

    def inner(index: tuple[Any, ...]) -> list[Any]:
        with r.into([]) as block:
            r.emit(Set(var, start))
            r.nest(
                tuple(value.dims[a] for a in axes),
                lambda last: [Accumulate(var, op, value.at((*index, *last)))],
            )
            r.emit(Store(made, index, var))
        return block

    r.nest(dims, inner)
    return plain_view(made)


def leading(r: Reader, op: str, value: View, axes: Any, rest: Any, dims: Any, start: Any) -> View:
    """Over other axes: the whole result accumulates."""
    zero = isinstance(start, Lit) and start.value == 0
    made = r.buffer(dims, value.dtype, "sum", zero=zero)
    if not zero:
        r.fill(plain_view(made), Scalar(start))

    def inner(index: tuple[Any, ...]) -> list[Any]:
        where = tuple(index[k] for k in rest)
        if op == "add":
            return [Store(made, where, value.at(index), "add")]
        return [Store(made, where, Op(op, (Get(made, where), value.at(index)), value.dtype))]

    r.nest(value.dims, inner, bound=axes)
    return plain_view(made)


def of_floats(r: Reader, value: Any) -> Any:
    value = r.array(value)
    if isinstance(value, View) and value.dtype == "b1":
        return View(value.dims, "i8", lambda index: cast(value.at(index), "i8"))
    return value


def total(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.sum``."""
    plain(r, dtype, out)
    value = of_floats(r, x)
    if isinstance(value, Scalar):
        return Scalar(value.expr, weak=False)
    keep = keepdims is not None and bool(r.literal(keepdims))
    zero = Lit(0.0, value.dtype) if value.dtype[0] == "f" else integer(0)
    return reduced(r, "add", value, axes_of(r, value, none(axis)), keep, zero)


def plain(r: Reader, *options: Any) -> None:
    """Options that are not given."""
    for option in options:
        if not (option is None or (isinstance(option, Constant) and option.value is None)):
            raise Unsupported("dtype= or out= of a reduction")


def none(value: Any) -> Any:
    """An argument, None being one that is not given."""
    return None if isinstance(value, Constant) and value.value is None else value


def add_reduce(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.add.reduce``: over the first axis unless told."""
    if axis is None:
        axis = scalar(0)
    return total(r, x, axis, dtype, out, keepdims)


def mean(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a mean of this")
    axes = axes_of(r, value, none(axis))
    count = integer(1)
    for a in axes:
        count = times(count, value.dims[a])
    return elementwise(r, np.divide, total(r, value, axis, dtype, out, keepdims), Scalar(count))


def product_reduce(r: Reader, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a product of this")
    axis = scalar(0) if axis is None else none(axis)
    keep = keepdims is not None and bool(r.literal(keepdims))
    return reduced(r, "multiply", value, axes_of(r, value, axis), keep, Lit(1.0, value.dtype))


def product(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.prod``."""
    plain(r, dtype, out)
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a product of this")
    keep = none(keepdims) is not None and bool(r.literal(keepdims))
    axes = axes_of(r, value, none(axis))
    return reduced(r, "multiply", value, axes, keep, Lit(1.0, value.dtype))


def variance(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = None,
    keepdims: Any = None,
) -> Any:  # fmt: skip
    """``np.var``."""
    plain(r, dtype, out)
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a variance of this")
    axes = axes_of(r, value, none(axis))
    gap = r.materialised(
        elementwise(r, np.subtract, value, mean(r, value, axis, keepdims=scalar(True)))
    )
    count = integer(1)
    for a in axes:
        count = times(count, value.dims[a])
    free = minus(count, 0 if ddof is None else r.integer(ddof))
    r.bail(Op("less_equal", (free, integer(0)), "b1"))
    squares = total(r, elementwise(r, np.multiply, gap, gap), axis, keepdims=keepdims)
    return elementwise(r, np.divide, squares, Scalar(free))


def deviation(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = None,
    keepdims: Any = None,
) -> Any:  # fmt: skip
    """``np.std``."""
    return elementwise(r, np.sqrt, variance(r, x, axis, dtype, out, ddof, keepdims))


def extreme(
    ufunc: Any, r: Reader, x: Any, axis: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.max`` and ``np.min``."""
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("an extreme of this")
    keep = keepdims is not None and bool(r.literal(keepdims))
    return reduced(r, ufunc.__name__, value, axes_of(r, value, none(axis)), keep, None)


def extreme_reduce(ufunc: Any, r: Reader, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    return extreme(ufunc, r, x, scalar(0) if axis is None else axis, None, keepdims)


def cumsum(r: Reader, x: Any, axis: Any = None) -> Any:
    """A running sum along one axis."""
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a running sum of this")
    if len(value.dims) != 1:
        raise Unsupported("a running sum of a matrix")
    value = r.materialised(value)
    made = r.buffer(value.dims, value.dtype, "run")
    var, k = r.fresh("acc", value.dtype), r.fresh("i")
    r.mutable.add(var.name)
    r.emit(Set(var, Lit(0.0, value.dtype)))
    step = [
        Set(var, Op("add", (var, value.at((affine(k),))), value.dtype)),
        Store(made, (affine(k),), var),
    ]
    r.emit(For(k, integer(0), r.norm(value.dims[0]), step))
    return plain_view(made)


def unbroadcast(r: Reader, c: Any, like: Any) -> Any:
    """Sum over the axes along which ``like`` was stretched."""
    c, like = r.array(c), r.array(like)
    if c.dtype != like.dtype:
        raise Unsupported("rt.unbroadcast between dtypes")
    if isinstance(c, Scalar):
        if isinstance(like, Scalar):
            return c
        raise Unsupported("rt.unbroadcast of a number")
    if isinstance(like, Scalar):
        found = total(r, c)
        return Scalar(found.expr, weak=False)
    skip = len(c.dims) - len(like.dims)
    if skip < 0:
        raise Unsupported("rt.unbroadcast to more axes")
    flat = [is_one(n) and not is_one(m) for n, m in zip(like.dims, c.dims[skip:], strict=True)]
    for n, m, f in zip(like.dims, c.dims[skip:], flat, strict=True):
        if not f:
            r.same(n, m)
    axes = (*range(skip), *(skip + k for k, f in enumerate(flat) if f))
    if not axes:
        return c
    kept = reduced(r, "add", c, axes, True, Lit(0.0, c.dtype))
    if not skip:
        return kept
    return View(
        kept.dims[skip:],
        kept.dtype,
        lambda index: kept.at((*[integer(0)] * skip, *index)),
        cheap=True,
    )


def count(
    r: Reader,
    like: Any,
    axis: Any = None,
    ddof: Any = None,
    where: Any = None,
    keepdims: Any = None,
) -> Scalar:
    """``rt.count``: the number of entries, as a float."""
    value = r.array(like)
    if not (where is None or (isinstance(where, Constant) and where.value is True)):
        raise Unsupported("rt.count of some entries")
    number = integer(1)
    for a in axes_of(r, value, none(axis)):
        number = times(number, value.dims[a])
    free = cast(affine(minus(number, 0 if ddof is None else r.integer(ddof))), "f8")
    r.bail(Op("less_equal", (free, Lit(0.0, "f8")), "b1"))
    return Scalar(free)


def sum_to(r: Reader, c: Any, shape: Any) -> Any:
    """``rt.sum_to``: over leading axes, and those that the shape has once."""
    from .shaping import shape_of

    c, dims = r.array(c), shape_of(r, shape)
    lead = len(c.dims) - len(dims)
    if isinstance(c, Scalar) or lead < 0:
        raise Unsupported("rt.sum_to of this")
    if lead:
        c = reduced(r, "add", c, tuple(range(lead)), False, Lit(0.0, c.dtype))
    if isinstance(c, Scalar):
        return c
    axes = tuple(
        k for k, (n, m) in enumerate(zip(dims, c.dims, strict=True)) if is_one(n) and not is_one(m)
    )
    return reduced(r, "add", c, axes, True, Lit(0.0, c.dtype)) if axes else c


def unreduce(r: Reader, c: Any, like: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """Give every summand the cotangent of its sum."""
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar):
        return c
    if c.dtype != like.dtype and not (isinstance(c, Scalar) and c.weak is True):
        raise Unsupported("rt.unreduce between dtypes")
    if isinstance(c, Scalar):
        expr = cast(c.expr, like.dtype)
        return View(like.dims, like.dtype, lambda _: expr, cheap=True)
    axes = axes_of(r, like, none(axis))
    keep = keepdims is not None and bool(r.literal(keepdims))
    c = c if c.cheap else r.materialised(c)
    zero = integer(0)

    def at(index: tuple[Any, ...]) -> Any:
        if keep:
            return c.at(tuple(zero if k in axes else i for k, i in enumerate(index)))
        return c.at(tuple(i for k, i in enumerate(index) if k not in axes))

    return View(like.dims, like.dtype, at, cheap=True)
