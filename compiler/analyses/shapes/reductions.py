"""Types of reductions, running sums, sorting, norms and quantiles, and of their helpers."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers import linear

from ...ir.types import Array, Number, Size, Stack, Tree, Type, broadcast, kind_of
from .slice_sizes import sliced
from .table import UNKNOWN, shape

__all__ = ["arrayed", "flat_size", "floated", "less", "real_part", "reduced"]

INDEX = np.dtype(np.intp).name
LONG = np.dtype(int).name


# --- parts ------------------------------------------------------------------------------


def arrayed(x: Any) -> Array | Number | None:
    """The type of ``x``, a type, a plain constant or a list, where it acts as an array."""
    if isinstance(x, (Array, Number)):
        return x
    for python, kind in ((bool, "b"), (int, "i"), (float, "f"), (complex, "c")):
        if type(x) is python:
            return Number(kind)
    if is_ndarray(x) or isinstance(x, np.generic):
        return Array(x.dtype.name, x.shape, x.dtype.kind)
    return None


def unknown(*values: Any) -> bool:
    """True if a keyword's value is not a plain constant."""
    return any(v is UNKNOWN or isinstance(v, (Array, Number, Tree)) for v in values)


def of(dtype: str | None, dims: Any, kind: str | None = None) -> Array:
    return Array(dtype, dims, np.dtype(dtype).kind if dtype else kind)


def dtype_of(x: Any) -> Any:
    """The dtype ``x`` has as an array."""
    if isinstance(x, Number):
        return {"b": "bool", "i": LONG, "f": "float64", "c": "complex128"}[x.kind]
    return x.dtype


def floated(x: Any) -> tuple[str | None, str | None]:
    """Dtype and kind of a mean of ``x``: floats keep theirs, integers give float64."""
    kind, dtype = kind_of(x), dtype_of(x)
    if kind in ("b", "i") or (dtype and np.dtype(dtype).kind in "biu"):
        return "float64", "f"
    return dtype, kind


def summed(x: Any) -> tuple[str | None, str | None]:
    """Dtype and kind of a sum of ``x``: small integers are widened."""
    kind, dtype = kind_of(x), dtype_of(x)
    if dtype is None:
        return None, "i" if kind == "b" else kind
    if dtype in ("bool", LONG):
        return LONG, "i"
    return (dtype, kind) if np.dtype(dtype).kind in "fc" else (None, "i")


def real_part(dtype: str | None, kind: str | None) -> tuple[str | None, str | None]:
    """Dtype and kind of an absolute value."""
    if dtype is None:
        return None, "f" if kind in ("f", "c") else None
    real = np.zeros((), dtype).real.dtype
    return real.name, real.kind


def axes_in(rank: int, axis: Any) -> tuple[int, ...]:
    """The axes, counted from the front; an error if one does not exist."""
    if axis is None:
        return tuple(range(rank))
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    if not all(-rank <= a < rank for a in axes):
        raise ValueError(f"axis {axis} of {rank}")
    return tuple(a % rank for a in axes)


def reduced(x: Any, axis: Any, keepdims: Any) -> tuple[Size, ...] | None:
    """The dims of a reduction.

    >>> reduced(Array("float64", (2, 3, 4), "f"), (0, -1), False)
    (3,)
    """
    if axis is None and keepdims is False:
        return ()
    if x.dims is None or unknown(axis, keepdims):
        return None
    axes = axes_in(len(x.dims), axis) if x.dims else ()
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(x.dims))
    return tuple(n for i, n in enumerate(x.dims) if i not in axes)


def flat_size(dims: Any) -> Any:
    """The number of entries, where it is known."""
    if dims is None:
        return None
    if len(dims) == 1:
        return dims[0]
    return math.prod(dims) if all(isinstance(n, int) for n in dims) else None


def along(x: Any, axis: Any) -> tuple[Size, ...] | None:
    """The dims of what runs along an axis; None flattens."""
    if axis is None:
        return (flat_size(x.dims),)
    return None if unknown(axis) else (1,) if x.dims == () else x.dims


def less(n: Size, k: int) -> Size:
    """The size ``max(n - k, 0)``."""
    return sliced(n, slice(k, None)) if k else n


def replaced(dims: Any, axis: Any, size: Size) -> Any:
    if dims is None or unknown(axis):
        return None
    (axis,) = axes_in(len(dims), axis)
    return (*dims[:axis], size, *dims[axis + 1 :])


# --- reductions -------------------------------------------------------------------------


@shape(np.sum, np.ndarray.sum, np.prod, np.ndarray.prod, np.nansum, np.nanprod)
def _(x: Any, axis: Any = None, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(summed(x)[0], reduced(x, axis, keepdims), summed(x)[1])


@shape(np.add.reduce, np.multiply.reduce)
def _(x: Any, axis: Any = 0, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(summed(x)[0], reduced(x, axis, keepdims), summed(x)[1])


@shape(np.mean, np.ndarray.mean, np.nanmean)
def _(x: Any, axis: Any = None, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(floated(x)[0], reduced(x, axis, keepdims), floated(x)[1])


@shape(np.median)
def _(x: Any, axis: Any = None, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(floated(x)[0], reduced(x, axis, keepdims), floated(x)[1])


@shape(np.var, np.ndarray.var, np.std, np.ndarray.std, np.nanvar, np.nanstd)
def _(x: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False, correction: Any = 0) -> Type:
    if (x := arrayed(x)) is None:
        return None
    dtype, kind = real_part(*floated(x))
    plain = not unknown(ddof, correction)
    return of(dtype if plain else None, reduced(x, axis, keepdims), kind)


@shape(
    np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min, np.ptp
)
def _(x: Any, axis: Any = None, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(dtype_of(x), reduced(x, axis, keepdims), kind_of(x))


@shape(np.maximum.reduce, np.minimum.reduce)
def _(x: Any, axis: Any = 0, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(dtype_of(x), reduced(x, axis, keepdims), kind_of(x))


@shape(np.logaddexp.reduce)
def _(x: Any, axis: Any = 0, keepdims: Any = False) -> Type:
    return (x := arrayed(x)) and of(floated(x)[0], reduced(x, axis, keepdims), floated(x)[1])


@shape(np.average)
def _(a: Any, axis: Any = None, weights: Any = None, keepdims: Any = False) -> Type:
    a, dims = arrayed(a), None
    if a is None:
        return None
    dims = reduced(a, axis, keepdims)
    dtype, kind = floated(a)
    w = arrayed(weights)
    if weights is not None:
        same = w is not None and dtype is not None and w.dtype == dtype
        return Array(dtype if same else None, dims, kind if same else None)
    return of(dtype, dims, kind)


@shape(np.linalg.norm)
def _(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Type:
    if (x := arrayed(x)) is None:
        return None
    dtype, kind = real_part(*floated(x))
    return of(dtype, reduced(x, axis, keepdims), kind)


@shape(np.any, np.all, np.ndarray.any, np.ndarray.all)
def _(a: Any, axis: Any = None, keepdims: Any = False) -> Type:
    return (a := arrayed(a)) and of("bool", reduced(a, axis, keepdims))


@shape(np.count_nonzero)
def _(a: Any, axis: Any = None, *, keepdims: Any = False) -> Type:
    if (a := arrayed(a)) is None or (axis is None and keepdims is False):
        return None  # an int or a NumPy integer, as the version has it
    return of(INDEX, reduced(a, axis, keepdims))


@shape(np.argmax, np.argmin, np.ndarray.argmax, np.ndarray.argmin, np.nanargmax, np.nanargmin)
def _(a: Any, axis: Any = None, *, keepdims: Any = False) -> Type:
    return (a := arrayed(a)) and of(INDEX, reduced(a, axis, keepdims))


@shape(builtins.sum, linear.total)
def _(xs: Any, start: Any = 0) -> Type:
    first = arrayed(start)
    if isinstance(xs, Stack):
        return total_of(xs.item) if start == 0 else None
    if isinstance(xs, Array):
        if not xs.dims or not known_many(xs.dims[0]):
            return None
        return broadcast(Array(xs.dtype, xs.dims[1:], xs.kind), first)
    items = xs.items if isinstance(xs, Tree) and xs.container in ("tuple", "list") else xs
    if not isinstance(items, (tuple, list)):
        return None
    return broadcast(first, *map(arrayed, items))


def known_many(n: Size) -> bool:
    """True if a size is certainly not 0."""
    return isinstance(n, int) and n > 0


def total_of(item: Any) -> Type:
    """The sum of a list of numbers, which may be empty."""
    if isinstance(item, Number):
        return Number(max(item.kind, "i", key="bifc".index))
    return Array(None, (), item.kind) if isinstance(item, Array) and item.dims == () else None


@shape(math.fsum)
def _(xs: Any) -> Type:
    return Number("f")


# --- along an axis ----------------------------------------------------------------------


@shape(np.cumsum, np.ndarray.cumsum, np.cumprod, np.ndarray.cumprod, np.nancumsum, np.nancumprod)
def _(x: Any, axis: Any = None) -> Type:
    return (x := arrayed(x)) and of(summed(x)[0], along(x, axis), summed(x)[1])


@shape(np.add.accumulate, np.multiply.accumulate)
def _(x: Any, axis: Any = 0) -> Type:
    return (x := arrayed(x)) and of(summed(x)[0], along(x, axis), summed(x)[1])


@shape(np.maximum.accumulate, np.minimum.accumulate, np.fmax.accumulate, np.fmin.accumulate)
def _(x: Any, axis: Any = 0) -> Type:
    return (x := arrayed(x)) and of(dtype_of(x), along(x, axis), kind_of(x))


@shape(np.diff)
def _(a: Any, n: Any = 1, axis: Any = -1) -> Type:
    if (a := arrayed(a)) is None:
        return None
    dims = None
    if a.dims and not unknown(n, axis):
        dims = replaced(a.dims, axis, less(a.dims[axis], n))
    return of(dtype_of(a), dims, kind_of(a))


@shape(np.ediff1d)
def _(ary: Any) -> Type:
    return (a := arrayed(ary)) and of(dtype_of(a), (less(flat_size(a.dims), 1),), kind_of(a))


@shape(linear.slope, linear.slope_at)
def _(f: Any, step: Any = 1.0, axis: Any = 0, edge_order: Any = 1) -> Type:
    return (f := arrayed(f)) and of(floated(f)[0], f.dims, floated(f)[1])


@shape(np.trapezoid)
def _(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Type:
    y = arrayed(y)
    if y is None or unknown(axis) or y.dims is None:
        return None
    plain = x is None and isinstance(arrayed(dx), Number)
    flat = plain or (isinstance(x, Array) and x.rank == 1)
    dtype, kind = floated(y)
    return of(dtype if plain else None, reduced(y, axis, False) if flat else None, kind)


@shape(np.sort)
def _(x: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Type:
    return (x := arrayed(x)) and of(dtype_of(x), along(x, axis), kind_of(x))


@shape(np.partition)
def _(x: Any, kth: Any, axis: Any = -1, kind: Any = None) -> Type:
    return (x := arrayed(x)) and of(dtype_of(x), along(x, axis), kind_of(x))


@shape(np.argsort, np.ndarray.argsort)
def _(x: Any, axis: Any = -1, kind: Any = None) -> Type:
    return (x := arrayed(x)) and of(INDEX, along(x, axis))


@shape(np.argpartition, np.ndarray.argpartition)
def _(x: Any, kth: Any, axis: Any = -1) -> Type:
    return (x := arrayed(x)) and of(INDEX, along(x, axis))


@shape(linear.matching)
def _(z: Any, x: Any, axis: Any = -1) -> Type:
    return (x := arrayed(x)) and of(INDEX, along(x, axis))


@shape(np.searchsorted, np.ndarray.searchsorted)
def _(a: Any, v: Any, side: Any = "left") -> Type:
    return (v := arrayed(v)) and of(INDEX, v.dims)


@shape(np.digitize)
def _(x: Any, bins: Any, right: Any = False) -> Type:
    return (x := arrayed(x)) and of(INDEX, x.dims)


@shape(np.quantile, np.percentile)
def _(x: Any, q: Any, axis: Any = None, keepdims: Any = False) -> Type:
    if (x := arrayed(x)) is None:
        return None
    q = arrayed(np.asarray(q) if isinstance(q, (tuple, list)) and not unknown(*q) else q)
    rest = reduced(x, axis, keepdims)
    dims = None if q is None or q.dims is None or rest is None else q.dims + rest
    dtype, kind = floated(x)
    exact = dtype == "float64" or isinstance(q, Number)
    return of(dtype if exact else None, dims, kind)


# --- helpers ----------------------------------------------------------------------------


def shaped_like(c: Any, like: Any) -> Type:
    """An array of the shape of ``like`` that holds ``c``; a number takes the type of ``like``."""
    c, like = arrayed(c), arrayed(like)
    if c is None or like is None:
        return None
    if isinstance(c, Array):
        return Array(c.dtype, like.dims, c.kind)
    both = broadcast(c, Array(floated(like)[0], like.dims, floated(like)[1]))
    return both if isinstance(both, Array) else None


@shape(linear.unreduce)
def _(c: Any, like: Any, axis: Any = None, keepdims: Any = False) -> Type:
    c, like = arrayed(c), arrayed(like)
    if like is None or (like.dims is None and isinstance(c, Number)):
        return None
    if like.dims == ():
        return c if c is None or c.dims == () else Array(c.dtype, (), c.kind)
    return shaped_like(c, like)


@shape(linear.count)
def _(like: Any, axis: Any = None, ddof: Any = 0) -> Type:
    return Number("f")


@shape(linear.nancount)
def _(like: Any, axis: Any = None, keepdims: Any = False, ddof: Any = 0) -> Type:
    like = arrayed(like)
    if like is None:
        return None
    dtype, kind = real_part(*floated(like))
    return of(dtype, reduced(like, axis, keepdims), kind)


@shape(linear.share_ties)
def _(z: Any, x: Any, axis: Any = None, keepdims: Any = False) -> Type:
    if (x := arrayed(x)) is None:
        return None
    dtype, kind = real_part(*floated(x))
    return of(dtype, x.dims, kind)


@shape(linear.rows)
def _(c: Any, axis: Any = None) -> Type:
    if (c := arrayed(c)) is None:
        return None
    dims: Any = None
    if axis is None:
        dims = (flat_size(c.dims),)
    elif c.dims is not None and not unknown(axis):
        last = axes_in(len(c.dims), axis)
        rest = tuple(n for i, n in enumerate(c.dims) if i not in last)
        dims = (*rest, flat_size([c.dims[i] for i in last]))
    return of(dtype_of(c), dims, kind_of(c))


@shape(linear.unrows)
def _(c: Any, like: Any, axis: Any = None) -> Type:
    return shaped_like(c, like)


@shape(linear.uncumsum)
def _(c: Any, like: Any, axis: Any = None) -> Type:
    return shaped_like(c, like)


@shape(linear.delay, linear.advance, linear.before)
def _(c: Any) -> Type:
    return c if isinstance(c, Array) else None


@shape(linear.recur, linear.recur_back)
def _(c: Any, a: Any) -> Type:
    both = broadcast(c, a)
    return Array(both.dtype, c.dims, both.kind) if isinstance(both, Array) else None


@shape(linear.others)
def _(x: Any, axis: Any = None) -> Type:
    return x if isinstance(x, Array) else None


@shape(linear.norm_power)
def _(x: Any, ord: Any = None, axis: Any = None, vector: Any = False) -> Type:
    return Number("f")


@shape(linear.norm_weight)
def _(length: Any, x: Any, *_args: Any, **_kwargs: Any) -> Type:
    if (x := arrayed(x)) is None:
        return None
    dtype, kind = real_part(*floated(x))
    same = isinstance(length, Number) or (isinstance(length, Array) and length.dtype == dtype)
    return of(dtype if same else None, x.dims, kind)


@shape(linear.align)
def _(c: Any, like: Any, axis: Any = None) -> Type:
    if (like := arrayed(like)) is None:
        return None
    if c is None:
        dtype, kind = real_part(*floated(like))
        return of(dtype, like.dims, kind)
    return Array(c.dtype, like.dims, c.kind) if isinstance(c, Array) else None


@shape(linear.unalign)
def _(c: Any, like: Any, axis: Any = None) -> Type:
    return Array(c.dtype, like.dims, c.kind) if isinstance(c, Array) and arrayed(like) else None


@shape(linear.spread)
def _(c: Any, like: Any) -> Type:
    if isinstance(like, Stack):
        return Stack(None)
    return shaped_like(c, like) if isinstance(like, Array) else None


@shape(linear.undiff)
def _(c: Any, like: Any, n: Any = 1, axis: Any = -1) -> Type:
    return shaped_like(c, like)


@shape(linear.untrapezoid)
def _(c: Any, like: Any, at: Any = None, step: Any = 1.0, axis: Any = -1) -> Type:
    return shaped_like(c, like)
