"""Which element it is: places of extremes, of values in sorted arrays, whether any or all hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...loop_ir.ir import Break, If, Op, Set, Store, While, affine, integer, plus
from ..growing_lists import count_of, item_of
from ..loop_builder import counted, varying
from ..values import Items, Rows, Scalar, Tape, Unsupported, View, plain_view, scalar
from .elementwise import binary, cast
from .reductions import axes_of, none, plain, reduced, total
from .shaping import reshape

if TYPE_CHECKING:
    from ..reader import Reader

__all__ = ["arg_extreme", "holds", "searchsorted", "sum_of_items"]


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


def searchsorted(r: Reader, a: Any, v: Any, side: Any = None) -> Any:
    """``np.searchsorted``: by halves."""
    a, v = r.array(a), r.array(v)
    right = side is not None and r.literal(side) == "right"
    if len(a.dims) != 1 or a.dtype != "f8" or v.dtype != "f8":
        raise Unsupported("np.searchsorted of this")
    a = r.materialised(a)

    def before(x: Any, value: Any) -> Any:
        """Whether an element stands before the place; what is no number comes last."""
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


def sum_of_items(r: Reader, values: Any, start: Any = None) -> Any:
    """Python's ``sum``."""
    found = scalar(0) if start is None else start
    if isinstance(values, Items):
        for value in values.values:
            found = binary(r, ast.Add(), found, value)
        return found
    if isinstance(values, (Tape, Rows)):
        return sum_of_list(r, values, found)
    values = r.array(values)
    if isinstance(values, Scalar):
        raise Unsupported("sum() of a number")
    return binary(r, ast.Add(), found, total(r, values, scalar(0)))


def sum_of_list(r: Reader, values: Any, start: Any) -> Any:
    """The sum of numbers in a list that grew; an empty one is left to the text."""
    count = r.named(count_of(r, values), "count")
    r.bail(Op("less_equal", (affine(count), integer(0)), "b1"))
    first = binary(r, ast.Add(), start, item_of(r, values, integer(0)))
    if not isinstance(first, Scalar) or first.mixed:
        raise Unsupported("sum() of a list of arrays")
    whole = varying(r, "total", first.expr)
    with counted(r, 1, count) as k:
        item = binary(r, ast.Add(), Scalar(whole, first.weak), item_of(r, values, k))
        if item.dtype != whole.dtype or item.weak is not first.weak:
            raise Unsupported("sum() of numbers of several kinds")
        r.emit(Set(whole, item.expr))
    return Scalar(whole, first.weak)
