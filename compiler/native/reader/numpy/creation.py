"""New arrays: filled, copied, or made of numbers and of other arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, affine, integer, plus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import SeveralKinds, Unsupported
from ..aliasing import let_go
from ..containers import stacked_rows
from ..growing_lists import count_of
from ..handlers import complex_too, reads, reads_helper, reads_method
from ..options import dtype_option, shape_of
from ..reader import Reader
from ..values import Rows, Tape
from .elementwise import astype

__all__ = ["array", "array_of", "zero_lit", "zeros_like"]


def without_axes(r: Reader, expr: Any) -> Scalar:
    """An array that is a number here: on the device, where there are no others; elsewhere it may be written to."""
    if r.device is None:
        raise Unsupported("an array without axes")
    return Scalar(expr, weak=False)


@reads(np.zeros, np.empty)
def zeros(r: Reader, shape: Any, dtype: Any = None) -> Any:
    code, dims = dtype_option(r, dtype), shape_of(r, shape)
    if not dims:
        return without_axes(r, zero_lit(code))
    return plain_view(r.buffer(dims, code, "v", zero=True))


def zero_lit(code: str) -> Any:
    return {"f": Lit(0.0, code), "i": integer(0), "b": Lit(False, "b1"), "c": Lit(0j, code)}[
        code[0]
    ]


@reads(np.full)
@complex_too
def full(r: Reader, shape: Any, value: Any, dtype: Any = None) -> Any:
    value = r.number(value)
    code, dims = dtype_option(r, dtype, value.dtype), shape_of(r, shape)
    expr = r.named(cast(value.expr, code))
    return View(dims, code, lambda _: expr) if dims else without_axes(r, expr)


@reads(np.ones)
def ones(r: Reader, shape: Any, dtype: Any = None) -> Any:
    return full(r, shape, scalar(1.0), dtype or Constant(np.dtype(float)))


@reads(np.zeros_like, np.empty_like)
@complex_too
def zeros_like(r: Reader, x: Any, dtype: Any = None) -> Any:
    x = r.array(x)
    code = dtype_option(r, dtype, x.dtype)
    if not x.dims:
        return without_axes(r, zero_lit(code))
    return plain_view(r.buffer(x.dims, code, "v", zero=True))


@reads(np.full_like)
@complex_too
def full_like(r: Reader, x: Any, value: Any, dtype: Any = None) -> Any:
    x = r.array(x)
    code = dtype_option(r, dtype, x.dtype)
    number = r.number(value)
    if (number.dtype, code[0]) == ("f8", "i"):
        raise Unsupported("floats as integers")
    expr = r.named(cast(number.expr, code))
    return View(x.dims, code, lambda _: expr) if x.dims else without_axes(r, expr)


@reads(np.ones_like)
@complex_too
def ones_like(r: Reader, x: Any) -> Any:
    x = r.array(x)
    one = cast(Lit(1.0, "f8"), x.dtype)
    return View(x.dims, x.dtype, lambda _: one) if x.dims else without_axes(r, one)


@reads(np.copy)
@reads_method("copy")
@reads_helper("copy")
@complex_too
def copy(r: Reader, x: Any) -> Any:
    if isinstance(x, Items):
        return Items(tuple(copy(r, v) for v in x.values), x.keys, x.kind)
    if isinstance(x, (Tape, Rows)):
        return copied_list(r, x)
    x = r.array(x)
    return x if isinstance(x, Scalar) else r.copied(x)


def copied_list(r: Reader, x: Tape | Rows) -> Tape | Rows:
    """A list as it is now: what was put in has been copied, and nobody may write to it."""
    let_go(r, x.key if isinstance(x, Rows) else x.arena.key)
    if isinstance(x, Rows):
        if x.at is not None:
            raise SeveralKinds("a list that is read while it grows", x.key)
        return x
    return Tape(x.arena, x.start, r.named(count_of(r, x), "count"))


def array(r: Reader, x: Any, dtype: Any = None) -> Any:
    """``np.array`` of numbers, of arrays beside each other, or of an array."""
    if isinstance(x, Items) and x.kind != "dict":
        values = [array(r, v) if isinstance(v, Items) else r.array(v) for v in x.values]
        found = stacked_rows(r, values)
    else:
        found = copy(r, x)
        if isinstance(found, Scalar):
            return without_axes(r, found.expr)
    code = dtype_option(r, dtype, found.dtype)
    return found if code == found.dtype else astype(r, found, Constant(np.dtype(code)))


@reads(np.array, np.asarray)
@complex_too
def array_of(r: Reader, x: Any, dtype: Any = None) -> Any:
    """``np.array``: of a list that grew, too."""
    if not isinstance(x, (Tape, Rows)):
        return array(r, x, dtype)
    item = x.item if isinstance(x, Rows) else x.arena.item
    if dtype is not None or item is None or item[0] not in ("scalar", "array"):
        raise Unsupported("np.array of such a list")
    count = r.named(count_of(r, x), "count")
    r.bail(Op("less_equal", (affine(count), integer(0)), "b1"))
    if isinstance(x, Rows):
        return r.copied(x.leaves[0])
    whole, start = x.arena.leaves[0], x.start
    dims = (affine(count), *whole.dims[1:])
    rows = View(
        dims,
        whole.dtype,
        lambda index: plain_view(whole).at((plus(start, index[0]), *index[1:])),
    )
    return r.copied(rows)
