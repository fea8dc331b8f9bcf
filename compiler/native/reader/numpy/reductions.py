"""Sums, products, extremes over axes: accumulators in scalars where the axes come last."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...loop_ir.ir import (
    Accumulate,
    For,
    Get,
    Lit,
    Op,
    Set,
    Store,
    affine,
    integer,
    minus,
    plus,
    times,
)
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_method, reads_ufunc_method
from ..options import axes_of, none, plain
from ..reader import Reader
from .elementwise import elementwise
from .shaping import reshape

__all__ = ["cumsum", "extreme", "reduced", "total"]


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


@reads(np.sum)
@reads_method("sum")
@complex_too
def total(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.sum``."""
    plain(r, dtype, out)
    value = of_floats(r, x)
    if isinstance(value, Scalar):
        return Scalar(value.expr, weak=False)
    keep = keepdims is not None and bool(r.literal(keepdims))
    zero = Lit(0.0, value.dtype) if value.dtype[0] in "fc" else integer(0)
    return reduced(r, "add", value, axes_of(r, value, none(axis)), keep, zero)


@reads_ufunc_method(np.add, "reduce")
@complex_too
def add_reduce(
    r: Reader, x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.add.reduce``: over the first axis unless told."""
    if axis is None:
        axis = scalar(0)
    return total(r, x, axis, dtype, out, keepdims)


@reads(np.mean)
@reads_method("mean")
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


@reads_ufunc_method(np.multiply, "reduce")
def product_reduce(r: Reader, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a product of this")
    axis = scalar(0) if axis is None else none(axis)
    keep = keepdims is not None and bool(r.literal(keepdims))
    return reduced(r, "multiply", value, axes_of(r, value, axis), keep, Lit(1.0, value.dtype))


@reads(np.prod)
@reads_method("prod")
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


@reads(np.var)
@reads_method("var")
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


@reads(np.std)
@reads_method("std")
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


reads(np.max, np.amax)(reads_method("max")(partial(extreme, np.maximum)))
reads(np.min, np.amin)(reads_method("min")(partial(extreme, np.minimum)))


def extreme_reduce(ufunc: Any, r: Reader, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    return extreme(ufunc, r, x, scalar(0) if axis is None else axis, None, keepdims)


reads_ufunc_method(np.maximum, "reduce")(partial(extreme_reduce, np.maximum))
reads_ufunc_method(np.minimum, "reduce")(partial(extreme_reduce, np.minimum))


@reads(np.cumsum)
@reads_method("cumsum")
def cumsum(r: Reader, x: Any, axis: Any = None) -> Any:
    """A running sum along one axis."""
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a running sum of this")
    if len(value.dims) != 1:
        if none(axis) is None:
            return cumsum(r, reshape(r, value, scalar(-1)))
        return running(r, "add", value, r.literal(axis) % len(value.dims))
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


def running(r: Reader, op: str, value: View, axis: int) -> View:
    """Each slice along an axis with all before it."""
    value = r.materialised(value)
    made = r.buffer(value.dims, value.dtype, "run")
    first = tuple(integer(1) if k == axis else n for k, n in enumerate(value.dims))
    r.bail(Op("less_equal", (r.norm(value.dims[axis]), integer(0)), "b1"))
    r.nest(first, lambda index: [Store(made, index, value.at(index))])
    rest = tuple(minus(n, 1) if k == axis else n for k, n in enumerate(value.dims))

    def step(index: tuple[Any, ...]) -> list[Any]:
        here = (*index[:axis], plus(index[axis], 1), *index[axis + 1 :])
        return [Store(made, here, Op(op, (Get(made, index), value.at(here)), value.dtype))]

    r.nest(rest, step, bound=(axis,))
    return plain_view(made)


def accumulate(ufunc: Any, r: Reader, x: Any, axis: Any = None) -> Any:
    """``np.add.accumulate`` and its like."""
    value = r.array(x)
    if isinstance(value, Scalar) or value.dtype[0] != "f":
        raise Unsupported("a running sum of this")
    k = 0 if axis is None else r.literal(axis) % len(value.dims)
    return running(r, ufunc.__name__, value, k)


for each in (np.add, np.multiply, np.maximum, np.minimum):
    reads_ufunc_method(each, "accumulate")(partial(accumulate, each))


@reads(np.cumprod)
@reads_method("cumprod")
def cumprod(r: Reader, x: Any, axis: Any = None) -> Any:
    value = r.array(x)
    if isinstance(value, View) and len(value.dims) > 1 and none(axis) is None:
        value = reshape(r, value, scalar(-1))
    return accumulate(np.multiply, r, value, none(axis))
