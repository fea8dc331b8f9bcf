"""Shape functions of the core, elementwise and creation helpers in `retrograd.runtime.helpers.linear`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Number, Stack, Tree, Type, broadcast, kind_of
from .creation import dims_from
from .elementwise import (
    as_array,
    as_type,
    common_dims,
    like_where,
    of_operator,
    real_of,
    ufunc_types,
)
from .elementwise import float_joined as _float_joined
from .table import shape


def cast_type(c: Type, like: Type) -> Type:
    """The type of `rt.cast`: the kind and precision of ``like``."""
    if kind_of(c) is None or kind_of(like) is None:
        return None
    if isinstance(c, Number):
        return Number("f") if c.kind == "c" and kind_of(like) != "c" else c
    real = c if kind_of(like) == "c" else real_of(c)
    if isinstance(like, Array) and isinstance(real, Array):
        if like.dtype is None:
            return Array(None, real.dims, real.kind)
        return real.with_dtype(like.dtype) if like.kind in ("f", "c") else real
    return real


@shape(linear.unbroadcast)
def _(c: Any, like: Any) -> Type:
    c, like = as_type(c), as_type(like)
    out = cast_type(c, like)
    if out is None:
        return None if not isinstance(like, Array) else Array(None, like.dims)
    if isinstance(out, Number) and like.dims == ():
        return out
    whole = as_array(out)
    return None if whole is None else whole.with_dims(like.dims)


@shape(linear.stretch)
def _(c: Any, like: Any) -> Type:
    c, like = as_type(c), as_type(like)
    if not isinstance(c, (Array, Number)) or not isinstance(like, (Array, Number)):
        return None
    if isinstance(c, Number) and like.dims == ():
        return c
    whole = as_array(c)
    if whole is None or like.dims is None:
        return None
    if isinstance(c, Number) and c.kind == "f" and like.kind not in ("i", "b"):
        known = like.dtype and np.zeros(0, like.dtype).real.dtype.name
        return Array(known, like.dims, "f")
    return whole.with_dims(like.dims)


@shape(linear.zeros_like)
def zero_type(x: Any) -> Type:
    if isinstance(x, Stack):
        return replace(x, item=zero_type(x.item))
    t = as_type(x)
    if isinstance(t, Number):
        return Number("c" if t.kind == "c" else "f")
    if not isinstance(t, Array) or t.kind is None:
        return None
    return t if t.kind in ("f", "c") else None if t.dims == () else t.with_dtype("float64")


@shape(linear.add)
def _(a: Any, b: Any) -> Type:
    if isinstance(a, Stack) or isinstance(b, Stack):
        return a if a == b else Stack(None)
    return broadcast(as_type(a), as_type(b))


@shape(linear.unpick)
def _(c: Any, xs: Any, extreme: Any) -> Type:
    count = number_of(xs)
    kind = as_type(c)
    if not count or kind_of(kind) not in ("f", "c"):
        return None
    kinds = (kind,) * count if count > 1 else row_of(kind, as_type(first_of(xs)))
    return None if kinds is None else Tree("list", tuple(range(count)), kinds)


def row_of(number: Type, x: Type) -> tuple[Type] | None:
    """An array of such numbers, in the shape of the one that they are shares of."""
    if not isinstance(x, Array) or x.dims is None or len(x.dims) != 1:
        return None
    dtype = "float64" if isinstance(number, Number) else number.dtype  # type: ignore[union-attr]
    return (Array(dtype, x.dims, "f"),) if kind_of(number) == "f" else None


def first_of(xs: Any) -> Any:
    return xs.items[0] if isinstance(xs, Tree) else xs[0]


def number_of(xs: Any) -> int | None:
    if isinstance(xs, (tuple, list)):
        return len(xs)
    return len(xs.items) if isinstance(xs, Tree) and xs.container in ("tuple", "list") else None


@shape(linear.sign)
def _(x: Any) -> Type:
    t = as_type(x)
    return t if isinstance(t, Number) and t.kind in ("f", "i") else ufunc_types(np.sign, t)[0]


@shape(linear.turn_rate)
def _(x: Any) -> Type:
    t = as_type(x)
    if isinstance(t, Number):
        return None if t.kind == "c" else Number("f")
    return real_of(t) if isinstance(t, Array) and t.kind in ("f", "c") else None


@shape(linear.divide_or_zero)
def _(c: Any, y: Any) -> Type:
    c, y = as_type(c), as_type(y)
    if isinstance(y, Number) and y.kind not in ("f", "c"):
        return None
    return of_operator(np.divide, _float_joined)(c, y)


@shape(linear.times_log)
def _(c: Any, x: Any) -> Type:
    c, x = as_type(c), as_type(x)
    if c == Number("f") and isinstance(x, Number) and x.kind in "if":
        return Number("f")
    if kind_of(c) not in ("f", "c") or kind_of(x) not in ("f", "c"):
        return None
    return as_array(broadcast(c, x))


@shape(linear.in_kind)
def _(x: Any, like: Any) -> Type:
    x, like = as_type(x), as_type(like)
    return x if kind_of(like) in ("b", "i", "f") or kind_of(x) == "c" else None


@shape(linear.one_less)
def _(y: Any, x: Any) -> Type:
    if isinstance(y, (int, float)) and y != 0:
        return as_type(y - 1)
    y, x = as_type(y), as_type(x)
    if isinstance(y, Number):
        both = y.kind in "if" and isinstance(x, Number) and x.kind == "f"
        return y if both else None
    return Array(None, common_dims(y, x)) if isinstance(y, Array) else None


@shape(linear.if_larger)
def _(c: Any, x: Any, y: Any) -> Type:
    types = [as_type(c), as_type(x), as_type(y)]
    if all(t == Number("f") for t in types):
        return Number("f")
    return like_where(*types[1:], value=types[0])


@shape(linear.if_inside, linear.if_below, linear.if_above)
def _(c: Any, x: Any, low: Any = None, high: Any = None, min: Any = None, max: Any = None) -> Type:
    bounds = [as_type(b) for b in (low, high, min, max) if b is not None]
    whole = like_where(as_type(x), *bounds, value=as_type(c))
    return whole if whole is None else Array(whole.dtype, None, whole.kind)  # type: ignore[union-attr]


@shape(linear.if_finite)
def _(c: Any, x: Any, copy: Any = True) -> Type:
    if kind_of(as_type(x)) not in ("b", "i", "f"):
        return None
    return like_where(as_type(x), value=as_type(c))


@shape(linear.if_replaced)
def _(c: Any, x: Any, what: Any) -> Type:
    return like_where(as_type(x), value=as_type(c))


@shape(linear.if_number)
def _(c: Any, x: Any) -> Type:
    types = as_type(c), as_type(x)
    return Number("f") if types == (Number("f"),) * 2 else like_where(types[1], value=types[0])


@shape(linear.share)
def _(x: Any, y: Any) -> Type:
    types = as_type(x), as_type(y)
    if all(t == Number("f") for t in types):
        return Number("f")
    whole = as_array(broadcast(*types))
    return whole if whole is not None and whole.kind == "f" else None


@shape(linear.sigmoid)
def _(x: Any) -> Type:
    t = as_type(x)
    return t if isinstance(t, Array) and t.dims and t.kind == "f" else None


@shape(linear.if_float)
def _(c: Any, like: Any) -> Type:
    t = as_type(c)
    return t if kind_of(t) in ("f", "c") else None


@shape(linear.convert)
def _(c: Any, like: Any, copy: Any = False) -> Type:
    if kind_of(as_type(like)) not in ("f", "c"):
        return None
    return cast_type(as_type(c), as_type(like))


@shape(linear.pack, linear.full)
def _(c: Any, like: Any, copy: Any = False) -> Type:
    t = as_array(as_type(like))
    return t if kind_of(t) in ("f", "c") else None


@shape(linear.unpack)
def _(c: Any, like: Any) -> Type:
    t = as_type(like)
    return in_place_of(t) if isinstance(t, Tree) else None


def in_place_of(t: Type) -> Type:
    """The same containers, with entries of arrays for the numbers in them; what is no float is not known."""
    if isinstance(t, Tree):
        known = t.container in ("list", "tuple")
        return replace(t, items=tuple(map(in_place_of, t.items))) if known else None
    whole = as_array(t)
    return whole if kind_of(whole) in ("f", "c") else None


@shape(linear.steps)
def _(num: Any, endpoint: Any, like: Any) -> Type:
    t = as_type(like)
    if not isinstance(t, Array) or t.rank is None:
        return None
    dims = (*(dims_from(num) or (None,)), *(1,) * (t.rank - 1))
    return Array(t.dtype if t.kind in ("f", "c") else None, dims, t.kind)


@shape(linear.polygamma)
def _(n: Any, x: Any) -> Type:
    t = as_type(x)
    return t if kind_of(t) in ("f", "c") else None


@shape(linear.sinc_derivative)
def _(n: Any, x: Any) -> Type:
    t = as_array(as_type(x))
    return t if kind_of(t) in ("f", "c") else None


@shape(linear.circle, linear.hyperbola, linear.hyperbola_above)
def _(x: Any) -> Type:
    return ufunc_types(np.sqrt, as_type(x))[0]


@shape(linear.bessel_i)
def _(n: Any, x: Any) -> Type:
    t = as_array(as_type(x))
    return None if t is None else Array("float64" if t.dtype == "float64" else None, t.dims)


@shape(linear.times_i)
def _(c: Any, like: Any) -> Type:
    c, like = as_type(c), as_type(like)
    if kind_of(like) in ("f", "i", "b"):
        return c if kind_of(c) == "f" else None
    return broadcast(c, Number("c")) if kind_of(like) == "c" else None


@shape(linear.put_item)
def _(c: Any, like: Any, *index: Any) -> Type:
    t = as_type(like)
    return t if isinstance(t, Array) and t.kind in ("f", "c") else None


@shape(linear.progression)
def _(cs: Any, like: Any) -> Type:
    t = as_type(like)
    return t if isinstance(t, Array) and t.kind in ("f", "c") else None
