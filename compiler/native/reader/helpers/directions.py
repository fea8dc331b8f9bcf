"""Products, and the adjoints of broadcasting and of sums, in many directions: these are the innermost loop."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...loop_ir.ir import Lit, Op, Store, affine, integer
from ...loop_ir.scalar_operations import is_one, literal
from ...loop_ir.values import Scalar, View, plain_view
from ...refusal import Unsupported
from ..handlers import reads_helper
from ..numpy.products import operands
from ..numpy.reductions import reduced
from ..options import axes_of, none
from ..reader import Reader

SHORT = 8  # terms of a sum that is written out


@reads_helper("matmul_each")
def matmul_each(r: Reader, a: Any, b: Any, on: Any) -> View:
    """``rt.matmul_each``: of vectors, matrices and stacks of them."""
    a, b = operands(r, a, b)
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        raise Unsupported("@ of a number")
    a, b, second = r.materialised(a), r.materialised(b), r.literal(on) == 1
    own_a, own_b = (a.dims, b.dims[:-1]) if second else (a.dims[:-1], b.dims)
    count = b.dims[-1] if second else a.dims[-1]
    if not own_a or not own_b:
        raise Unsupported("@ of a number")
    rows, columns = own_a[-2:-1], own_b[-1:] if len(own_b) > 1 else ()
    k = r.same(own_a[-1], own_b[-2] if len(own_b) > 1 else own_b[0])
    batch = r.broadcast([own_a[:-2], own_b[:-2]]) if len(own_a) > 2 or len(own_b) > 2 else ()
    lead, height = len(batch), len(rows)
    dims, known = (*batch, *rows, *columns, count), literal(r.norm(k))
    short = known is not None and 0 < known <= SHORT
    made = r.buffer(dims, a.dtype, "dot", zero=not short)

    def term(at: tuple[Any, ...], p: Any) -> Op:
        stack, i, j = at[:lead], at[lead : lead + height], at[lead + height : -1]
        d = at[-1:]
        left = (*of_batch(own_a[:-2], stack), *i, p, *(() if second else d))
        right = (*of_batch(own_b[:-2], stack), p, *j, *(d if second else ()))
        return Op("multiply", (a.at(left), b.at(right)), a.dtype)

    if short:

        def entry(at: tuple[Any, ...]) -> list[Any]:
            terms: list[Any] = [term(at, integer(p)) for p in range(known or 0)]
            return [Store(made, at, reduce(lambda x, y: Op("add", (x, y), a.dtype), terms))]

        r.nest(dims, entry)
        return plain_view(made)
    middle = lead + height

    def part(at: tuple[Any, ...]) -> list[Any]:
        place = (*at[:middle], *at[middle + 1 :])
        return [Store(made, place, term(place, at[middle]), "add")]

    r.nest((*dims[:middle], k, *dims[middle:]), part, bound=(middle,))
    return plain_view(made)


def of_batch(own: tuple[Any, ...], index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The place of a matrix in a stack, which may be stretched."""
    given = index[len(index) - len(own) :]
    return tuple(integer(0) if is_one(n) else affine(i) for n, i in zip(own, given, strict=True))


@reads_helper("unbroadcast_each")
def unbroadcast_each(r: Reader, c: Any, like: Any) -> View:
    """``rt.unbroadcast_each``: the sum over the axes along which ``like`` was stretched."""
    c, like = r.array(c), r.array(like)
    if isinstance(c, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.unbroadcast_each of this")
    own = () if isinstance(like, Scalar) else like.dims
    skip = len(c.dims) - 1 - len(own)
    if skip < 0:
        raise Unsupported("rt.unbroadcast_each to more axes")
    flat = [is_one(n) and not is_one(m) for n, m in zip(own, c.dims[skip:-1], strict=True)]
    for n, m, summed in zip(own, c.dims[skip:-1], flat, strict=True):
        if not summed:
            r.same(n, m)
    axes = (*range(skip), *(skip + k for k, summed in enumerate(flat) if summed))
    if not axes:
        return c  # type: ignore[no-any-return]
    kept = reduced(r, "add", c, axes, True, Lit(0.0, c.dtype))
    ones = (integer(0),) * skip
    return View(kept.dims[skip:], kept.dtype, lambda index: kept.at((*ones, *index)), cheap=True)


@reads_helper("unreduce_each")
def unreduce_each(r: Reader, c: Any, like: Any, axis: Any = None, keepdims: Any = None) -> View:
    """``rt.unreduce_each``: every summand gets the cotangents of its sum."""
    c, like = r.array(c), r.array(like)
    if isinstance(c, Scalar) or isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.unreduce_each of this")
    axes = axes_of(r, like, none(axis))
    keep = keepdims is not None and bool(r.literal(keepdims))
    c = c if c.cheap else r.materialised(c)
    rank = len(like.dims)
    if len(c.dims) != (rank if keep else rank - len(axes)) + 1:
        raise Unsupported("rt.unreduce_each of this")

    def at(index: tuple[Any, ...]) -> Any:
        own = index[:-1]
        if keep:
            return c.at((*(integer(0) if k in axes else i for k, i in enumerate(own)), index[-1]))
        return c.at((*(i for k, i in enumerate(own) if k not in axes), index[-1]))

    return View((*like.dims, c.dims[-1]), like.dtype, at, cheap=True)
