"""The small helpers of the runtime that emitted text calls, as scalar arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..loop_ir.ir import Get, Lit, Op, Set, Store, integer
from .numpy.elementwise import cast, elementwise, mapped
from .values import Scalar, Unsupported, all_weak, plain_view, scalar

if TYPE_CHECKING:
    from .reader import Reader

__all__ = [
    "div0",
    "divide_or_zero",
    "if_inside",
    "mul0",
    "others",
    "share",
    "share_ties",
    "uncumsum",
]


def floats(r: Reader, *values: Any) -> tuple[str, tuple[Any, ...], Any]:
    """The dtype of floats together, the values, and whether all are Python numbers."""
    from .calls import common

    arrays = tuple(r.array(v) for v in values)
    dtype = common(*arrays)
    if dtype[0] != "f":
        raise Unsupported("a helper of the runtime for integers")
    return dtype, arrays, all_weak(*arrays)


def zero_of(dtype: str) -> Lit:
    return Lit(0.0, dtype)


def guarded(r: Reader, c: Any, y: Any, name: str, test: int) -> Any:
    """``c / y`` or ``c * y``, and 0 where one of them (number ``test``) is 0."""
    dtype, args, weak = floats(r, c, y)
    if weak is not False and name == "divide":
        y_ = r.named(args[1].expr)
        c_ = r.named(cast(args[0].expr, "f8"))
        bad = Op("equal", (cast(y_, "f8"), Lit(0.0, "f8")), "b1")
        if weak is not True:
            r.bail(bad)
        elif test == 0:  # Python raises, or gives 0
            r.bail(Op("logical_and", (bad, Op("not_equal", (c_, Lit(0.0, "f8")), "b1")), "b1"))
        args = (Scalar(c_), Scalar(cast(y_, "f8")))

    def point(a: Any, b: Any) -> Any:
        a, b = cast(a, dtype), cast(b, dtype)
        zero = Op("equal", ((a, b)[test], zero_of(dtype)), "b1")
        whole = Op(name, (a, b), dtype)
        soft = weak is not False
        nothing = Op("multiply", (a, zero_of(dtype)), dtype) if soft else zero_of(dtype)
        return Op("where", (zero, nothing, whole), dtype)

    return mapped(r, point, dtype, args, weak)


def div0(r: Reader, c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``c`` is 0."""
    return guarded(r, c, y, "divide", 0)


def mul0(r: Reader, g: Any, p: Any) -> Any:
    """``g * p``, and 0 where ``g`` is 0."""
    return guarded(r, g, p, "multiply", 0)


def divide_or_zero(r: Reader, c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``y`` is 0."""
    return guarded(r, c, y, "divide", 1)


def share(r: Reader, x: Any, y: Any) -> Any:
    """The share of ``exp(x)`` in ``exp(x) + exp(y)``."""
    dtype, args, weak = floats(r, x, y)

    def point(a: Any, b: Any) -> Any:
        a, b = cast(a, dtype), cast(b, dtype)
        same = Op("equal", (a, b), "b1")
        gap = Op("where", (same, zero_of(dtype), Op("subtract", (b, a), dtype)), dtype)
        small = Op("exp", (Op("negative", (Op("absolute", (gap,), dtype),), dtype),), dtype)
        one = Lit(1.0, dtype)
        top = Op("where", (Op("greater", (gap, zero_of(dtype)), "b1"), small, one), dtype)
        return Op("divide", (top, Op("add", (one, small), dtype)), dtype)

    return mapped(r, point, dtype, args, weak)


def share_ties(r: Reader, z: Any, x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """What part each entry of ``x`` has in the extreme ``z``: ties share evenly."""
    from .numpy.reductions import axes_of, none, total
    from .values import View

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


def uncumsum(r: Reader, c: Any, like: Any, axis: Any = None) -> Any:
    """The sum of what follows, itself included."""
    from .numpy.reductions import cumsum
    from .numpy.shaping import flip, reshape_like

    c = r.array(c)
    if len(c.dims) != 1:
        raise Unsupported("rt.uncumsum of a matrix")
    return reshape_like(r, flip(r, cumsum(r, flip(r, c))), like)


def others(r: Reader, x: Any, axis: Any = None) -> Any:
    """The product of the other entries, for each: of those before, and of those after."""
    from .loop_builder import counted, varying
    from .numpy.reductions import none
    from .numpy.shaping import reshape, reshape_like

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


def steps(r: Reader, num: Any, endpoint: Any, like: Any, axis: Any = None) -> Any:
    """``rt.steps``: how far between start and stop each number of ``np.linspace`` is."""
    from .ranges import linspace

    like = r.array(like)
    if len(like.dims) != 1 or like.dtype != "f8":
        raise Unsupported("rt.steps along an axis")
    return linspace(r, scalar(0.0), scalar(1.0), num, endpoint=endpoint)


def limit(value: Any) -> bool:
    """Whether a bound of a clip is there."""
    from .values import Constant

    return value is not None and not (isinstance(value, Constant) and value.value is None)


def if_inside(r: Reader, c: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    """``c`` where ``low <= x <= high``, else 0."""
    from .calls import where

    found = c
    if limit(low):
        found = where(r, elementwise(r, np.greater_equal, x, low), found, scalar(0.0))
    if limit(high):
        found = where(r, elementwise(r, np.less_equal, x, high), found, scalar(0.0))
    return found
