"""Helpers of the runtime that transpose reductions and broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Get, Lit, Op, Set, Store, affine, integer, minus, times
from ...loop_ir.scalar_operations import cast, is_one
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads_helper
from ..loop_builder import counted, varying
from ..numpy.complex_numbers import real_part
from ..numpy.elementwise import elementwise, in_dtype, mapped, where
from ..numpy.ranges import linspace
from ..numpy.reductions import cumsum, extreme, reduced, total
from ..numpy.shaping import flip, reshape, stretched
from ..options import axes_of, none, shape_of
from ..reader import Reader
from .arithmetic import divide_or_zero, in_precision

__all__ = ["count", "reshape_like", "unbroadcast"]


@reads_helper("unbroadcast")
@complex_too
def unbroadcast(r: Reader, c: Any, like: Any) -> Any:
    """Sum over the axes along which ``like`` was stretched."""
    c, like = r.array(c), r.array(like)
    if c.dtype != like.dtype:
        if c.dtype == "c16" and like.dtype == "f8":
            return real_part(r, unbroadcast(r, c, in_dtype(r, like, "c16")))
        python = isinstance(like, Scalar) and like.weak
        if c.dtype == "f8" and like.dtype == "c16" and not python and isinstance(c, View):
            return unbroadcast(r, in_dtype(r, c, "c16"), like)
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


@reads_helper("count")
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


@reads_helper("sum_to")
def sum_to(r: Reader, c: Any, shape: Any) -> Any:
    """``rt.sum_to``: over leading axes, and those that the shape has once."""
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


@reads_helper("unreduce")
@complex_too
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


@reads_helper("stretch")
@complex_too
def stretch(r: Reader, c: Any, like: Any) -> Any:
    like = r.array(like)
    if isinstance(like, Scalar):
        return c
    c = r.array(c)
    if isinstance(c, Scalar) and c.weak is True and c.dtype == "f8" and like.dtype[0] == "f":
        number = cast(c.expr, like.dtype)
        return View(like.dims, like.dtype, lambda _: number, cheap=True)
    return stretched(r, c, like.dims)


@reads_helper("reshape_like")
@complex_too
def reshape_like(r: Reader, c: Any, like: Any) -> Any:
    like = r.array(like)
    c = in_precision(r, r.array(c), like)
    if isinstance(like, Scalar):
        if isinstance(c, View) and all(map(is_one, c.dims)):
            return Scalar(r.named(c.at(tuple(integer(0) for _ in c.dims))), weak=False)
        raise Unsupported("rt.reshape_like of a number")
    if isinstance(c, Scalar):
        if not all(map(is_one, like.dims)):
            raise Unsupported("rt.reshape_like of a number")
        return View(like.dims, c.dtype, lambda _: c.expr, cheap=True)
    return reshape(r, c, Items(tuple(Scalar(affine(n)) for n in like.dims)))


@reads_helper("share_ties")
def share_ties(r: Reader, z: Any, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """The share of each entry of ``x`` in the extreme ``z``: ties share evenly."""
    x, z = r.array(x), r.array(z)
    if isinstance(x, Scalar) or x.dtype != "f8":
        raise Unsupported("rt.share_ties of this")
    keep = keepdims is not None and bool(r.literal(keepdims))
    if not keep and isinstance(z, View):
        axes = axes_of(r, x, none(axis))
        z = z if z.cheap else r.materialised(z)
        low = z
        z = View(
            tuple(integer(1) if k in axes else n for k, n in enumerate(x.dims)),
            low.dtype,
            lambda index: low.at(tuple(i for k, i in enumerate(index) if k not in axes)),
            cheap=True,
        )

    def hit(a: Any, b: Any) -> Any:
        both = Op("logical_and", (Op("isnan", (a,), "b1"), Op("isnan", (b,), "b1")), "b1")
        return cast(Op("logical_or", (Op("equal", (a, b), "b1"), both), "b1"), "f8")

    hits = r.materialised(mapped(r, hit, "f8", (x, z)))
    number = total(r, hits, axis, keepdims=scalar(True))
    return elementwise(r, np.divide, hits, number)


@reads_helper("uncumsum")
def uncumsum(r: Reader, c: Any, like: Any, axis: Any = None) -> Any:
    """The sum of what follows, itself included."""
    c = r.array(c)
    if none(axis) is None and len(c.dims) != 1:
        raise Unsupported("rt.uncumsum of a matrix")
    along = scalar(0) if none(axis) is None else axis
    return reshape_like(r, flip(r, cumsum(r, flip(r, c, along), along), along), like)


@reads_helper("others")
def others(r: Reader, x: Any, axis: Any = None) -> Any:
    """The product of the other entries, for each: of those before, and of those after."""
    whole = r.array(x)
    if isinstance(whole, Scalar) or whole.dtype[0] != "f":
        raise Unsupported("rt.others of this")
    if none(axis) is not None and len(whole.dims) > 1:
        raise Unsupported("rt.others along an axis")
    flat = whole if len(whole.dims) == 1 else reshape(r, whole, scalar(-1))
    flat = r.materialised(flat)
    n, dtype = flat.dims[0], flat.dtype
    made = r.buffer((n,), dtype, "others")
    for back in (False, True):
        run = varying(r, "run", Lit(1.0, dtype))
        with counted(r, 0, n, back=back) as i:
            before = Op("multiply", (Get(made, (i,)), run), dtype) if back else run
            r.emit(Store(made, (i,), before))
            r.emit(Set(run, Op("multiply", (run, flat.at((i,))), dtype)))
    return reshape_like(r, plain_view(made), whole)


@reads_helper("steps")
def steps(r: Reader, num: Any, endpoint: Any, like: Any, axis: Any = None) -> Any:
    """``rt.steps``: how far between start and stop each number of ``np.linspace`` is."""
    like = r.array(like)
    if len(like.dims) != 1 or like.dtype != "f8":
        raise Unsupported("rt.steps along an axis")
    return linspace(r, scalar(0.0), scalar(1.0), num, endpoint=endpoint)


@reads_helper("norm_weight")
def norm_weight(
    r: Reader, length: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = None,
    vector: Any = None,
) -> Any:  # fmt: skip
    """``rt.norm_weight`` of a norm of vectors, or Frobenius': the slope is ``x`` times this."""
    x = r.array(x)
    kind = None if none(ord) is None else r.literal(ord)
    rank = len(x.dims) if none(axis) is None else len(axes_of(r, x, axis))
    if rank == 1 and kind in (1, np.inf):
        return kinked_weight(r, x, kind, axis)
    if (
        kind is not None
        and (rank, kind) not in ((1, 2), (2, "fro"))
        and not (rank == 1 and isinstance(kind, (int, float)) and 1 < kind < np.inf)
    ):
        raise Unsupported("rt.norm_weight of this order")
    top = unreduce(r, length, x, axis=axis, keepdims=keepdims)
    if rank == 1 and kind not in (None, 2):
        return divide_or_zero(r, weight_of_powers(r, x, top, kind), top)
    one = Lit(1.0, x.dtype)
    return divide_or_zero(r, View(x.dims, x.dtype, lambda _: one, cheap=True), top)


def kinked_weight(r: Reader, x: View, kind: Any, axis: Any) -> Any:
    """Of the sum or the largest of the sizes."""
    size = r.materialised(elementwise(r, np.absolute, x))
    if kind == 1:
        one = Lit(1.0, x.dtype)
        return divide_or_zero(r, View(x.dims, x.dtype, lambda _: one, cheap=True), size)
    top = extreme(np.maximum, r, size, axis, keepdims=scalar(True))
    return divide_or_zero(r, share_ties(r, top, size, axis, scalar(True)), size)


def weight_of_powers(r: Reader, x: View, top: Any, kind: Any) -> Any:
    """The sizes, as parts of the norm, to the power of two less; 0 for nothing."""
    ratio = r.materialised(divide_or_zero(r, elementwise(r, np.absolute, x), top))
    none_ = elementwise(r, np.equal, ratio, scalar(0.0))
    base = where(r, none_, scalar(1.0), ratio)
    return where(r, none_, scalar(0.0), elementwise(r, np.power, base, scalar(kind - 2)))
