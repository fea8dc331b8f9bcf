"""Arrays within larger ones, and the coordinates of grids."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, Store, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast, literal
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import reads, reads_helper
from ..options import none
from ..reader import Reader
from ..views import in_memory, view_of
from .elementwise import elementwise, where
from .ranges import arange
from .reductions import total
from .scatter import add_at
from .shaping import take

__all__ = ["grid"]


@reads(np.pad)
def pad(r: Reader, x: Any, pad_width: Any, mode: Any = None, *, constant_values: Any = None) -> Any:
    """``np.pad`` with one number all around, or with elements of the array."""
    x = r.array(x)
    if isinstance(x, Scalar):
        raise Unsupported("np.pad of a number")
    kind, pairs = kind_of(r, mode), widths(r, pad_width, len(x.dims))
    if kind != "constant":
        if constant_values is not None:
            raise Unsupported("np.pad with numbers and with elements")
        for k, (low, high) in enumerate(pairs):
            x = take(r, x, places(r, x.dims[k], low, high, kind), scalar(k))
        return x
    edge = Lit(0.0, "f8") if constant_values is None else r.number(constant_values).expr
    dims = tuple(plus(n, low + high) for n, (low, high) in zip(x.dims, pairs, strict=True))
    made = r.buffer(dims, x.dtype, "padded")
    r.fill(plain_view(made), Scalar(r.named(cast(edge, x.dtype))))

    def inside(index: tuple[Any, ...]) -> list[Any]:
        at = tuple(plus(i, low) for i, (low, _) in zip(index, pairs, strict=True))
        return [Store(made, at, x.at(index))]

    r.nest(x.dims, inside)
    return plain_view(made)


def kind_of(r: Reader, mode: Any) -> Any:
    """What the margins are filled with."""
    kind = "constant" if mode is None else r.literal(mode)
    if kind not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise Unsupported("np.pad of this kind")
    return kind


def widths(r: Reader, pad_width: Any, rank: int) -> Any:
    """The widths of the two margins of each axis."""
    pairs = np.broadcast_to(np.asarray(r.literal(pad_width)), (rank, 2)).tolist()
    if not all(isinstance(n, int) and n >= 0 for pair in pairs for n in pair):
        raise Unsupported("np.pad by a width that is none")
    return pairs


def places(r: Reader, n: Any, low: int, high: int, kind: str) -> Any:
    """Where the elements of a padded axis are from, margins that are no longer than the axis."""
    wide = max(low, high, 1)
    least = {"edge": 1, "reflect": wide + 1}.get(kind, wide)
    r.bail(Op("less", (affine(n), integer(least)), "b1"))
    size = r.norm(plus(n, low + high))
    at = View((size,), "i8", lambda index: affine(minus(index[0], low)))
    if kind == "edge":
        last = Scalar(affine(minus(n, 1)))
        return elementwise(r, np.minimum, elementwise(r, np.maximum, at, scalar(0)), last)
    if kind == "wrap":
        return elementwise(r, np.remainder, at, Scalar(affine(n)))
    period = times(2, minus(n, 1) if kind == "reflect" else n)
    there = elementwise(r, np.remainder, at, Scalar(affine(period)))
    turned = minus(period, 0 if kind == "reflect" else 1)
    back = elementwise(r, np.subtract, Scalar(affine(turned)), there)
    return where(r, elementwise(r, np.less, there, Scalar(affine(n))), there, back)


def unpadded(r: Reader, c: Any, like: View, pairs: Any, kind: str) -> Any:
    """Each element of the margins to the one that it is a copy of, axis by axis, the last one first."""
    for k in range(len(pairs) - 1, -1, -1):
        low, high = pairs[k]
        dims = (*c.dims[:k], like.dims[k], *c.dims[k + 1 :])
        made = plain_view(r.buffer(dims, c.dtype, "v", zero=True))
        index = (
            *[Constant(slice(None))] * k,
            r.materialised(places(r, like.dims[k], low, high, kind)),
        )
        add_at(r, made, Items(index), c)
        c = made
    return c


@reads_helper("pad_pull")
def pad_pull(r: Reader, c: Any, like: Any, pad_width: Any, mode: Any = None) -> Any:
    """What stands inside of the margins, with what its copies there have."""
    like = r.array(like)
    if isinstance(like, Scalar):
        raise Unsupported("rt.pad_pull of a number")
    kind, pairs = kind_of(r, mode), widths(r, pad_width, len(like.dims))
    if kind != "constant":
        c = r.array(c)
        if c.dtype != like.dtype:
            raise Unsupported("rt.pad_pull between dtypes")
        return unpadded(r, r.materialised(c), like, pairs, kind)
    shift = [low for low, _ in pairs]
    return view_of(
        in_memory(r, r.array(c)), like.dims,
        lambda index: tuple(plus(i, low) for i, low in zip(index, shift, strict=True)),
    )  # fmt: skip


@reads_helper("unmeshgrid")
def unmeshgrid(r: Reader, cs: Any, like: Any, indexing: Any = None) -> Items:
    """The sums of the adjoints of grids along all axes but one."""
    if not (isinstance(cs, Items) and isinstance(like, Items)):
        raise Unsupported("rt.unmeshgrid of this")
    turned = (indexing is None or r.literal(indexing) == "xy") and len(like.values) > 1
    found = []
    for k, (c, x) in enumerate(zip(cs.values, like.values, strict=True)):
        value, own = r.array(c), r.array(x)
        if isinstance(value, Scalar) or len(own.dims) != 1:
            raise Unsupported("rt.unmeshgrid of numbers")
        along = 1 - k if turned and k < 2 else k
        rest = tuple(scalar(i) for i in range(len(value.dims)) if i != along)
        found.append(total(r, value, Items(rest)) if rest else value)
    return Items(tuple(found), like.keys, like.kind)


@reads(np.meshgrid)
def meshgrid(r: Reader, *arrays: Any, indexing: Any = None) -> Items:
    """``np.meshgrid``: each array along an axis of its own."""
    given = [r.array(x) for x in arrays]
    if not given or not all(isinstance(x, View) and len(x.dims) == 1 for x in given):
        raise Unsupported("np.meshgrid of this")
    order = list(range(len(given)))
    if (indexing is None or r.literal(indexing) == "xy") and len(given) > 1:
        order[:2] = [1, 0]
    dims: list[Any] = [integer(1)] * len(given)
    for k, x in zip(order, given, strict=True):
        dims[k] = x.dims[0]
    return Items(
        tuple(along(r, x, k, tuple(dims)) for k, x in zip(order, given, strict=True)),
        kind="list" if np.__version__ < "2" else "tuple",
    )


@reads(np.indices)
def indices(r: Reader, dimensions: Any, dtype: Any = None, sparse: Any = None) -> Any:
    """``np.indices``: the place along each axis, everywhere."""
    if not isinstance(dimensions, Items) or not dimensions.values or none(dtype) is not None:
        raise Unsupported("np.indices of this")
    lines = [arange(r, n) for n in dimensions.values]
    return open_grid(r, lines) if sparse is not None and r.literal(sparse) else dense(r, lines)


def grid(r: Reader, parts: list[Any], several: bool, is_open: bool) -> Any:
    """``np.mgrid[...]``, or ``np.ogrid[...]`` if ``is_open``; ``several`` axes, or one without a tuple."""
    lines = [line_of(r, part) for part in parts]
    dtype = "f8" if any(x.dtype == "f8" for x in lines) else "i8"
    lines = [in_kind(x, dtype) for x in lines]
    if not several:
        return lines[0]
    return open_grid(r, lines) if is_open else dense(r, lines)


def in_kind(x: View, dtype: str) -> View:
    return View(x.dims, dtype, lambda index: cast(affine(x.at(index)), dtype))


def line_of(r: Reader, part: Any) -> View:
    """A part of the subscript of a grid: equal steps, or so many of them if the step is imaginary."""
    if not isinstance(part, tuple) or part[1] is None:
        raise Unsupported("a grid of this")
    start, stop, step = part
    start = Constant(0) if start is None else start
    many = None if step is None else r.literal(step)
    if not isinstance(many, complex):
        return arange(r, start, stop, *([] if step is None else [step]))
    count = int(abs(many))
    if count < 2:
        raise Unsupported("a grid of less than two points")
    first, last = (r.named(cast(r.number(v).expr, "f8")) for v in (start, stop))
    gap = r.named(Op("divide", (Op("subtract", (last, first), "f8"), Lit(count - 1.0, "f8")), "f8"))

    def at(index: tuple[Any, ...]) -> Any:
        return Op("add", (Op("multiply", (cast(index[0], "f8"), gap), "f8"), first), "f8")

    return View((integer(count),), "f8", at)


def dense(r: Reader, lines: list[View]) -> View:
    """Lines along axes of their own, stacked."""
    dims = tuple(x.dims[0] for x in lines)

    def at(index: tuple[Any, ...]) -> Any:
        which, *place = index
        values = [x.at((i,)) for x, i in zip(lines, place, strict=True)]
        known = literal(which)
        if known is not None:
            return values[known]
        found = values[-1]
        for k, value in reversed(list(enumerate(values[:-1]))):
            is_this = Op("equal", (affine(which), integer(k)), "b1")
            found = Op("where", (is_this, affine(value), affine(found)), lines[0].dtype)
        return found

    return View((integer(len(lines)), *dims), lines[0].dtype, at)


def open_grid(r: Reader, lines: list[View]) -> Items:
    """The same without the axes along which nothing changes."""
    rank = len(lines)

    def turned(k: int, x: View) -> View:
        dims = tuple(x.dims[0] if j == k else integer(1) for j in range(rank))
        return View(dims, x.dtype, lambda index: x.at((index[k],)), cheap=True)

    kind = "list" if np.__version__ < "2" else "tuple"
    return Items(tuple(turned(k, x) for k, x in enumerate(lines)), kind=kind)


def along(r: Reader, x: View, k: int, dims: tuple[Any, ...]) -> Any:
    """A vector along one axis of a grid."""
    x = r.materialised(x)
    own = tuple(n if j == k else integer(1) for j, n in enumerate(dims))
    line = View(own, x.dtype, lambda index: x.at((index[k],)), cheap=True)
    stretched = r.spread(line, dims)
    return View(dims, x.dtype, stretched)
