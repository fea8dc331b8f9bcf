"""Arrays put together and taken apart: stacks along an axis, pieces, diagonals, triangles."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...loop_ir.ir import Buffer, Op, Store, affine, integer, minus, plus, times
from ..growing_lists import count_of
from ..indexing import Step, sliced
from ..values import Items, Rows, Scalar, Tape, Unsupported, View, plain_view
from .elementwise import cast, literal
from .shaping import array, in_memory, permuted, stacked_rows, view_of, zero_lit, zeros_like

if TYPE_CHECKING:
    from ..reader import Reader

__all__ = ["array_of", "diag", "diagonal", "split", "stack", "triangle", "undiagonal"]


def stack(r: Reader, arrays: Any, axis: Any = None) -> View:
    """``np.stack``."""
    if isinstance(arrays, (Tape, Rows)):
        if axis is not None and r.literal(axis) != 0:
            raise Unsupported("np.stack of a list along another axis")
        return r.array(array_of(r, arrays))  # type: ignore[no-any-return]
    if not isinstance(arrays, Items):
        raise Unsupported("np.stack of this")
    rows = stacked_rows(r, [r.array(v) for v in arrays.values])
    k = 0 if axis is None else r.literal(axis) % len(rows.dims)
    if k == 0:
        return rows
    dims = (*rows.dims[1 : k + 1], rows.dims[0], *rows.dims[k + 1 :])
    return view_of(rows, dims, lambda index: (index[k], *index[:k], *index[k + 1 :]))


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


def split(r: Reader, x: Any, pieces: Any, axis: Any = None) -> Items:
    """``np.split``: into equal parts, or at places that are known."""
    x = in_memory(r, x)
    k = 0 if axis is None else r.literal(axis) % len(x.dims)
    n, given = r.norm(x.dims[k]), r.literal(pieces)
    if isinstance(given, int):
        size = n.const // given if not n.terms else Op("floor_divide", (n, integer(given)), "i8")
        size = r.named(integer(size) if isinstance(size, int) else size, "piece")
        r.same(n, times(given, size))
        ends = [times(j, size) for j in range(given + 1)]
    else:
        if n.terms or any(not 0 <= e <= n.const for e in given) or sorted(given) != list(given):
            raise Unsupported("np.split at such places")
        ends = [affine(0), *map(affine, given), n]
    parts = []
    for lo, hi in pairwise(ends):
        steps = [Step("slice", integer(0), m) for m in x.dims]
        steps[k] = Step("slice", lo, r.norm(minus(hi, lo)))
        parts.append(sliced(r, x, steps))
    return Items(tuple(parts), kind="list")


def triangle(upper: bool, r: Reader, x: Any, k: Any = None) -> View:
    """``np.triu`` and ``np.tril``."""
    x = r.array(x)
    offset = 0 if k is None else r.literal(k)
    if isinstance(x, Scalar) or len(x.dims) < 2:
        raise Unsupported("a triangle of this")

    def at(index: tuple[Any, ...]) -> Any:
        test = "greater_equal" if upper else "less_equal"
        inside = Op(test, (minus(index[-1], index[-2]), integer(offset)), "b1")
        return Op("where", (inside, x.at(index), zero_lit(x.dtype)), x.dtype)

    return View(x.dims, x.dtype, at)


def unsplit(r: Reader, c: Any, like: Any, pieces: Any, axis: Any = None) -> View:
    """``rt.unsplit``: pieces back where they were."""
    like = r.array(like)
    if not isinstance(c, Items) or isinstance(like, Scalar):
        raise Unsupported("rt.unsplit of this")
    made: View = zeros_like(r, like)
    for place, part in zip(split(r, made, pieces, axis).values, c.values, strict=True):
        r.fill(place, part)
    return made


def moveaxis(r: Reader, x: Any, source: Any, destination: Any) -> View:
    """``np.moveaxis`` of one axis."""
    rank = len(r.array(x).dims)
    a, b = r.literal(source), r.literal(destination)
    if not (isinstance(a, int) and isinstance(b, int)):
        raise Unsupported("np.moveaxis of several axes")
    order = [k for k in range(rank) if k != a % rank]
    order.insert(b % rank, a % rank)
    return permuted(r, x, tuple(order))


# -- diagonals ----------------------------------------------------------------------------


def diag(r: Reader, x: Any, k: Any = None) -> View:
    """``np.diag``: a diagonal, or the matrix that has one."""
    x = r.array(x)
    if not isinstance(x, Scalar) and len(x.dims) == 1:
        offset = 0 if k is None else r.literal(k)
        n = r.norm(plus(x.dims[0], abs(offset)))
        made = r.buffer((n, n), x.dtype, "v", zero=True)
        put_on_diagonal(r, made, x, offset)
        return plain_view(made)
    return diagonal(r, x, k)


def put_on_diagonal(r: Reader, made: Buffer, x: View, offset: int) -> None:
    r.nest(x.dims, partial(one_of_diagonal, made, x, offset))


def one_of_diagonal(made: Buffer, x: View, offset: int, index: tuple[Any, ...]) -> list[Any]:
    at = (plus(index[0], max(-offset, 0)), plus(index[0], max(offset, 0)))
    return [Store(made, at, cast(x.at(index), made.dtype))]


def diagonal(r: Reader, x: Any, offset: Any = None, axis1: Any = None, axis2: Any = None) -> View:
    """``np.diagonal`` of a matrix."""
    x = in_memory(r, x)
    k = 0 if offset is None else r.literal(offset)
    axes = [default if a is None else r.literal(a) for a, default in ((axis1, 0), (axis2, 1))]
    if len(x.dims) != 2 or axes not in ([0, 1], [-2, -1]):
        raise Unsupported("np.diagonal of a stack")
    rows, columns = minus(x.dims[0], max(-k, 0)), minus(x.dims[1], max(k, 0))
    if literal(rows) is not None and literal(columns) is not None:
        n = integer(max(min(literal(rows), literal(columns)), 0))
    else:
        n = r.norm(minus(r.same(*x.dims), abs(k)))
        r.bail(Op("less", (n, integer(0)), "b1"))
    down, right = max(-k, 0), max(k, 0)
    return view_of(x, (n,), lambda i: (plus(i[0], down), plus(i[0], right)))


def untrace(
    r: Reader, c: Any, like: Any, offset: Any = None, axis1: Any = None, axis2: Any = None
) -> View:
    """``rt.untrace`` for a matrix."""
    like = r.array(like)
    c = r.number(c)
    return undiagonal(r, Scalar(cast(c.expr, like.dtype), False), like, offset, axis1, axis2)


def undiagonal(
    r: Reader, c: Any, like: Any, offset: Any = None, axis1: Any = None, axis2: Any = None
) -> View:
    """``rt.undiagonal`` for a matrix: zeros with a diagonal."""
    c, like = r.array(c), r.array(like)
    axes = [default if a is None else r.literal(a) for a, default in ((axis1, 0), (axis2, 1))]
    if len(like.dims) != 2 or axes not in ([0, 1], [-2, -1]) or c.dtype != like.dtype:
        raise Unsupported("rt.undiagonal of a stack")
    made: View = zeros_like(r, like)
    place = diagonal(r, made, offset, axis1, axis2)
    r.fill(place, c)
    return made
