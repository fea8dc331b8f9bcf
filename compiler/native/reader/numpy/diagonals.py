"""Diagonals and triangles of matrices, and systems of these."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...loop_ir.ir import Buffer, Op, Routine, Store, integer, minus, plus
from ...loop_ir.scalar_operations import cast, literal
from ...loop_ir.values import Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_method, reads_routine
from ..reader import Reader
from ..views import in_memory, view_of
from .creation import zero_lit
from .products import in_rows, start_of
from .reductions import total

__all__ = ["diagonal"]


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


reads(np.triu)(partial(triangle, True))
reads(np.tril)(partial(triangle, False))


@reads(np.diag)
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


@reads(np.diagonal)
@reads_method("diagonal")
@complex_too
def diagonal(r: Reader, x: Any, offset: Any = None, axis1: Any = None, axis2: Any = None) -> View:
    """``np.diagonal``, which is the last axis of what is left."""
    x = in_memory(r, x)
    k, rank = 0 if offset is None else r.literal(offset), len(x.dims)
    first, second = (
        default if a is None else r.literal(a) for a, default in ((axis1, 0), (axis2, 1))
    )
    if rank < 2 or not all(-rank <= a < rank for a in (first, second)):
        raise Unsupported("np.diagonal along axes that are not there")
    first, second = first % rank, second % rank
    if first == second:
        raise Unsupported("np.diagonal of one axis")
    n = length_of(r, x.dims[first], x.dims[second], k)
    down, right = max(-k, 0), max(k, 0)
    rest = [a for a in range(rank) if a not in (first, second)]

    def source(index: tuple[Any, ...]) -> tuple[Any, ...]:
        at = dict(zip(rest, index, strict=False))
        at |= {first: plus(index[-1], down), second: plus(index[-1], right)}
        return tuple(at[a] for a in range(rank))

    return view_of(x, (*(x.dims[a] for a in rest), n), source)


def length_of(r: Reader, rows: Any, columns: Any, k: int) -> Any:
    """How many elements a diagonal has: of a matrix whose sizes are known, or that is square."""
    down, across = minus(rows, max(-k, 0)), minus(columns, max(k, 0))
    if literal(down) is not None and literal(across) is not None:
        return integer(max(min(literal(down), literal(across)), 0))
    n = r.norm(minus(r.same(rows, columns), abs(k)))
    r.bail(Op("less", (n, integer(0)), "b1"))
    return n


@reads(np.trace)
@reads_method("trace")
def trace(r: Reader, x: Any, offset: Any = None, axis1: Any = None, axis2: Any = None) -> Any:
    return total(r, diagonal(r, x, offset, axis1, axis2), scalar(-1))


@reads_routine("solve_lower")
def solve_lower(r: Reader, low: Any, b: Any, adjoint: Any = None) -> View:
    """``rt.solve_lower``, by a routine, where loops are printed for people: elsewhere the helper's own text is read."""
    low, b = r.array(low), r.array(b)
    if isinstance(low, Scalar) or isinstance(b, Scalar) or len(low.dims) != 2 or len(b.dims) > 2:
        raise Unsupported("such a triangular system")
    if low.dtype != b.dtype or low.dtype[0] != "f":
        raise Unsupported("a triangular system of these dtypes")
    rows, turned = in_rows(r, r.materialised(low))
    if turned:
        rows = r.copied(low)
    n = r.same(r.same(low.dims[0], low.dims[1]), b.dims[0])
    m = b.dims[1] if len(b.dims) == 2 else integer(1)
    x = r.copied(b, "x")
    name = "lower_solve_t" if adjoint is not None and r.literal(adjoint) else "lower_solve"
    assert x.buffer is not None
    r.emit(Routine(name, (r.norm(n), r.norm(m)), (start_of(rows), start_of(x)), x.buffer, True))
    return x
