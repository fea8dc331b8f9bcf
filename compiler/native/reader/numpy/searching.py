"""Which element it is: places of extremes, of values in sorted arrays, whether any or all hold."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...loop_ir.ir import Break, If, Op, Set, Store, While, affine, integer, plus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import reads, reads_method
from ..loop_builder import counted, varying
from ..options import axes_of, none, plain
from ..reader import Reader
from .reductions import reduced
from .shaping import reshape


def either(*conds: Any) -> Op:
    return Op("logical_or", conds, "b1")


def both(*conds: Any) -> Op:
    return Op("logical_and", conds, "b1")


def arg_extreme(
    better: str, r: Reader, x: Any, axis: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.argmax`` and ``np.argmin``: the first of equal ones, or of what is no number."""
    plain(r, out, keepdims)
    x = r.array(x)
    if isinstance(x, Scalar) or x.dtype not in ("f8", "f4"):
        raise Unsupported("the place of an extreme of this")
    if none(axis) is None and len(x.dims) > 1:
        x, axis = reshape(r, x, scalar(-1)), None
    x = r.materialised(x)
    (k,) = axes_of(r, x, none(axis))
    count = r.norm(x.dims[k])
    if affine(count).terms or affine(count).const < 1:
        r.bail(Op("less_equal", (count, integer(0)), "b1"))
    rest = (*x.dims[:k], *x.dims[k + 1 :])

    def place_in(index: tuple[Any, ...]) -> Any:
        """The place along the axis, for an index of the others."""

        def at(j: Any) -> Any:
            return x.at((*index[:k], j, *index[k:]))

        best = varying(r, "best", at(integer(0)))
        place = varying(r, "place", integer(0))
        with counted(r, 1, count) as j:
            value = r.named(at(j), "value")
            odd = both(Op("isnan", (value,), "b1"), Op("equal", (best, best), "b1"))
            found = either(Op(better, (value, best), "b1"), odd)
            r.emit(If(found, [Set(best, value), Set(place, j)]))
        return place

    if not rest:
        return Scalar(r.named(affine(place_in(())), "place"), weak=False)
    made = r.buffer(rest, "i8", "place")

    def inner(index: tuple[Any, ...]) -> list[Any]:
        with r.into([]) as block:
            r.emit(Store(made, index, affine(place_in(index))))
        return block

    r.nest(rest, inner, free=False)
    return plain_view(made)


reads(np.argmax)(reads_method("argmax")(partial(arg_extreme, "greater")))
reads(np.argmin)(reads_method("argmin")(partial(arg_extreme, "less")))


def holds(
    every: bool, r: Reader, x: Any, axis: Any = None, out: Any = None, keepdims: Any = None
) -> Any:
    """``np.all`` and ``np.any``."""
    plain(r, out)
    x = r.array(x)
    if isinstance(x, Scalar):
        return Scalar(cast(x.expr, "b1"), weak=False)
    keep = none(keepdims) is not None and bool(r.literal(keepdims))
    numbers = View(x.dims, "i8", lambda index: cast(cast(x.at(index), "b1"), "i8"))
    op = "minimum" if every else "maximum"
    found = reduced(r, op, numbers, axes_of(r, x, none(axis)), keep, integer(int(every)))
    if isinstance(found, Scalar):
        return Scalar(cast(found.expr, "b1"), weak=False)
    return View(found.dims, "b1", lambda index: cast(found.at(index), "b1"), cheap=True)


reads(np.any)(reads_method("any")(partial(holds, False)))
reads(np.all)(reads_method("all")(partial(holds, True)))


@reads(np.searchsorted)
@reads_method("searchsorted")
def searchsorted(r: Reader, a: Any, v: Any, side: Any = None) -> Any:
    """``np.searchsorted``: by halves."""
    a, v = r.array(a), r.array(v)
    right = side is not None and r.literal(side) == "right"
    if len(a.dims) != 1 or a.dtype != "f8" or v.dtype != "f8":
        raise Unsupported("np.searchsorted of this")
    a = r.materialised(a)

    def before(x: Any, value: Any) -> Any:
        """A test that an element stands before the place; what is no number comes last."""
        less = Op("less_equal" if right else "less", (x, value), "b1")
        odd = Op("isnan", (value,), "b1")
        return either(less, odd if right else both(odd, Op("equal", (x, x), "b1")))

    def place_of(value: Any) -> Any:
        value = r.named(value, "value")
        low, high = varying(r, "low", integer(0)), varying(r, "high", r.norm(a.dims[0]))
        with r.into([]) as body:
            r.emit(If(Op("greater_equal", (low, high), "b1"), [Break()]))
            middle = r.named(Op("floor_divide", (plus(low, high), integer(2)), "i8"), "middle")
            there = before(a.at((affine(middle),)), value)
            r.emit(If(there, [Set(low, plus(middle, 1))], [Set(high, affine(middle))]))
        r.emit(While(body))
        return affine(low)

    if isinstance(v, Scalar):
        return Scalar(r.named(place_of(v.expr), "place"), weak=False)
    v = r.materialised(v)
    made = r.buffer(v.dims, "i8", "place")

    def inner(index: tuple[Any, ...]) -> list[Any]:
        with r.into([]) as block:
            r.emit(Store(made, index, place_of(v.at(index))))
        return block

    r.nest(v.dims, inner, free=False)
    return plain_view(made)
