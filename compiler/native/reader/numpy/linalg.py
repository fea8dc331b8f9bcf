"""Linear algebra of small matrices, by loops: factors are made where the matrix is met, and used again.

The library is faster for large ones: a matrix whose size is not known to be small stays NumPy, and so
does one that the library would refuse (it is singular, or not positive definite): the text raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.records import dataclass

from ...loop_ir.calls import Library
from ...loop_ir.ir import (
    Accumulate,
    Bail,
    Buffer,
    Get,
    If,
    Let,
    Lit,
    Op,
    Routine,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    integer,
    plus,
)
from ...loop_ir.operation_names import SMALL
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Items, Scalar, View, common, plain_view
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_helper, reads_scipy
from ..library_calls import library_call
from ..loop_builder import counted, each, of_stack, varying
from ..reader import Reader
from .elementwise import elementwise, in_dtype, mapped
from .shaping import permuted


@dataclass(frozen=True)
class Factor:
    """``P a = L U`` in one buffer, the diagonal of ones left out; ``rows``: what was exchanged."""

    lu: Buffer
    rows: Buffer
    n: Any


@dataclass(frozen=True)
class Known:
    """A factor that was made in a block, of a matrix that has been written to so many times."""

    block: list[Stmt]
    element: Any
    written: int
    factor: Factor


def square(r: Reader, a: Any) -> View:
    """A matrix, or a stack of them, small enough."""
    a = r.array(a)
    if isinstance(a, Scalar) or len(a.dims) < 2:
        raise Unsupported("no matrix")
    if a.dtype[0] not in "fc":
        whole = a
        a = View(a.dims, "f8", lambda index: cast(whole.at(index), "f8"))
    n = r.same(a.dims[-2], a.dims[-1])
    if r.source is not None:
        return r.materialised(a)  # type: ignore[no-any-return]
    size = r.likely(n)
    if size is None or size > SMALL:
        if r.library and len(a.dims) == 2 and a.dtype != "c16":
            return r.materialised(a)  # type: ignore[no-any-return]
        raise Unsupported(f"a matrix of more than {SMALL} rows, or it is not known of how many")
    if affine(n).terms:
        r.bail(Op("greater", (affine(n), integer(2 * SMALL)), "b1"))
    return r.materialised(a)  # type: ignore[no-any-return]


def by_routine(r: Reader, n: Any) -> bool:
    """True if a matrix of so many rows is a matter of routines rather than of loops."""
    size = r.likely(n)
    return r.source is not None or size is None or size > SMALL


def arithmetic(name: str, a: Any, b: Any) -> Op:
    return Op(name, (a, b), a.dtype)


def less_product(a: Any, b: Any, c: Any) -> Op:
    """``a - b c``."""
    return arithmetic("subtract", a, arithmetic("multiply", b, c))


def factor_of(
    r: Reader, a: View, element: Callable[[Any, Any], Any], n: Any
) -> tuple[Factor, bool]:
    """The factor of a matrix, or of its transpose (and then True), made once in a block."""
    i, j = affine(Var("probe_0")), affine(Var("probe_1"))
    straight, turned = element(i, j), element(j, i)
    if not isinstance(straight, Get) or not all(map(r.stable, straight.index)):
        return factored(r, element, n, a.dtype), False
    written = len(straight.buffer.writes)
    for known in r.factors:
        if known.block is r.block and known.written == written:
            if known.element == straight:
                return known.factor, False
            if known.element == turned:
                return known.factor, True
    factor = factored(r, element, n, a.dtype)
    r.factors.append(Known(r.block, straight, written, factor))
    return factor, False


def factored(r: Reader, element: Callable[..., Any], n: Any, dtype: str) -> Factor:
    """Gaussian elimination, by rows; the largest of a column is its pivot."""
    real = "f8" if dtype == "c16" else dtype
    lu, rows = r.buffer((n, n), dtype, "lu"), r.buffer((n,), "i8", "rows")
    with counted(r, 0, n, free=True) as i, counted(r, 0, n, free=True) as j:
        r.emit(Store(lu, (i, j), element(i, j)))
    if by_routine(r, n):
        r.emit(routine(r, "lu_factor", (n,), lu, rows, fails=True))
        return Factor(lu, rows, n)
    with counted(r, 0, n) as k:
        best = varying(r, "best", Op("absolute", (Get(lu, (k, k)),), real))
        row = varying(r, "row", k)
        with counted(r, plus(k, 1), n) as i:
            size = r.named(Op("absolute", (Get(lu, (i, k)),), real), "size")
            r.emit(If(Op("greater", (size, best), "b1"), [Set(best, size), Set(row, i)]))
        r.emit(Bail(Op("equal", (best, Lit(0.0, real)), "b1")))
        r.emit(Store(rows, (k,), affine(row)))
        exchange(r, lu, k, affine(row), n)
        with counted(r, plus(k, 1), n) as i:
            ratio = r.named(arithmetic("divide", Get(lu, (i, k)), Get(lu, (k, k))), "ratio")
            r.emit(Store(lu, (i, k), ratio))
            subtract_row(r, lu, i, k, ratio, plus(k, 1), n)
    return Factor(lu, rows, n)


def routine(
    r: Reader, name: str, sizes: tuple[Any, ...], *operands: Buffer, fails: bool = False
) -> Stmt:
    """A call of a routine on whole buffers, the first or the last of which is written to."""
    if r.source is None:
        for buffer in operands:
            buffer.role = "shared" if buffer.role == "local" else buffer.role
        return Library(tuple(map(affine, sizes)), operands, name)
    starts = tuple(Get(b, (integer(0),) * len(b.dims)) for b in operands)
    written = operands[0] if fails else operands[-1]
    return Routine(name, tuple(map(affine, sizes)), starts, written, fails)


def subtract_row(r: Reader, x: Buffer, i: Any, k: Any, ratio: Any, lo: Any, hi: Any) -> None:
    """``x[i, lo:hi] -= ratio * x[k, lo:hi]``."""
    with counted(r, lo, hi, free=True) as j:
        r.emit(Store(x, (i, j), less_product(Get(x, (i, j)), ratio, Get(x, (k, j)))))


def exchange(r: Reader, x: Buffer, k: Any, row: Any, m: Any) -> None:
    """Two rows of ``m`` columns change places."""
    with r.into([]) as body, counted(r, 0, m, free=True) as j:
        kept = r.fresh("kept", x.dtype)
        r.emit(Let(kept, Get(x, (k, j))))
        r.emit(Store(x, (k, j), Get(x, (row, j))))
        r.emit(Store(x, (row, j), kept))
    r.emit(If(Op("not_equal", (row, k), "b1"), body))


def divide_row(r: Reader, x: Buffer, k: Any, pivot: Any, m: Any) -> None:
    pivot = r.named(pivot, "pivot")
    with counted(r, 0, m, free=True) as j:
        r.emit(Store(x, (k, j), arithmetic("divide", Get(x, (k, j)), pivot)))


def substitute(r: Reader, found: Factor, x: Buffer, m: Any) -> None:
    """``x = a^-1 x`` by the rows of the factor."""
    lu, n = found.lu, found.n
    if by_routine(r, n):
        r.emit(routine(r, "lu_solve", (n, m), lu, found.rows, x))
        return
    with counted(r, 0, n) as k:
        exchange(r, x, k, r.named(Get(found.rows, (k,)), "row"), m)
    with counted(r, 1, n) as i, counted(r, 0, i) as k:
        subtract_row(r, x, i, k, r.named(Get(lu, (i, k)), "ratio"), 0, m)
    with counted(r, 0, n, back=True) as i:
        with counted(r, plus(i, 1), n) as k:
            subtract_row(r, x, i, k, r.named(Get(lu, (i, k)), "ratio"), 0, m)
        divide_row(r, x, i, Get(lu, (i, i)), m)


def substitute_transposed(r: Reader, found: Factor, x: Buffer, m: Any) -> None:
    """``x = a^-T x``."""
    lu, n = found.lu, found.n
    if by_routine(r, n):
        r.emit(routine(r, "lu_solve_t", (n, m), lu, found.rows, x))
        return
    with counted(r, 0, n) as k:
        divide_row(r, x, k, Get(lu, (k, k)), m)
        with counted(r, plus(k, 1), n) as i:
            subtract_row(r, x, i, k, r.named(Get(lu, (k, i)), "ratio"), 0, m)
    with counted(r, 0, n, back=True) as k, counted(r, 0, k) as i:
        subtract_row(r, x, i, k, r.named(Get(lu, (k, i)), "ratio"), 0, m)
    with counted(r, 0, n, back=True) as k:
        exchange(r, x, k, r.named(Get(found.rows, (k,)), "row"), m)


def of_library(r: Reader, name: str, *operands: Any) -> View:
    """A function of the device's library, for one matrix and a right side of as many rows."""
    arrays = [r.array(x) for x in operands]
    ranks = [len(x.dims) for x in arrays]
    if ranks[0] != 2 or max(ranks) > 2 or any(x.dtype[0] != "f" for x in arrays) or 0 in ranks:
        raise Unsupported(f"np.linalg.{name} of this")
    dtype = common(*arrays)
    places = ", ".join("{}" for _ in arrays)
    views = [in_dtype(r, x, dtype) for x in arrays]
    n = r.same(views[0].dims[0], views[0].dims[1])
    r.same(n, views[-1].dims[0])
    return library_call(r, f"cp.linalg.{name}({places})", views, views[-1].dims, dtype)


@reads(np.linalg.solve)
@complex_too
def solve(r: Reader, a: Any, b: Any) -> View:
    """``np.linalg.solve``: for a vector, a matrix, or stacks."""
    if r.device is not None:
        return of_library(r, "solve", a, b)
    a, b = square(r, a), r.array(b)
    if isinstance(b, Scalar):
        raise Unsupported("a system for a number")
    dtype = common(a, b) if b.dtype[0] in "fc" else a.dtype
    vector = len(b.dims) == 1
    n = r.same(a.dims[-1], b.dims[0] if vector else b.dims[-2])
    m = integer(1) if vector else b.dims[-1]
    lead = r.broadcast([a.dims[:-2], () if vector else b.dims[:-2]])
    if lead and r.source is None and by_routine(r, n):
        raise Unsupported("a stack of right sides for a large matrix")
    if a.dtype != dtype:
        a = r.materialised(mapped(r, lambda e: cast(e, dtype), dtype, (a,)))
    if by_routine(r, n) and not lead:
        return in_its_place(r, a, b, n, dtype)
    b = r.materialised(b)
    made = r.buffer((*lead, n) if vector else (*lead, n, m), dtype, "solve")

    def one(index: tuple[Any, ...]) -> None:
        element = of_stack(b, index, 1 if vector else 2)
        x = r.buffer((n, m), dtype, "x")
        with counted(r, 0, n, free=True) as i, counted(r, 0, m, free=True) as j:
            at = (i,) if vector else (i, j)
            r.emit(Store(x, (i, j), cast(element(*at), dtype)))
        found, turned = factor_of(r, a, of_stack(a, index, 2), n)
        (substitute_transposed if turned else substitute)(r, found, x, m)
        with counted(r, 0, n, free=True) as i, counted(r, 0, m, free=True) as j:
            at = (i,) if vector else (i, j)
            r.emit(Store(made, (*index, *at), Get(x, (i, j))))

    each(r, lead, one)
    return plain_view(made)


def in_its_place(r: Reader, a: View, b: View, n: Any, dtype: str) -> View:
    """The solution where the right-hand side was copied to."""
    x = r.copied(in_dtype(r, b, dtype), "solution")
    m = integer(1) if len(b.dims) == 1 else b.dims[1]
    found, turned = factor_of(r, a, of_stack(a, (), 2), n)
    assert x.buffer is not None
    (substitute_transposed if turned else substitute)(r, found, x.buffer, m)
    return x


@reads_scipy("scipy.linalg", "solve_triangular")
def solve_triangular(
    r: Reader, a: Any, b: Any, trans: Any = None, lower: Any = None, unit_diagonal: Any = None,
    overwrite_b: Any = None, check_finite: Any = None,
) -> View:  # fmt: skip
    """``scipy.linalg.solve_triangular`` for a vector or a matrix."""
    a, b = square(r, a), r.array(b)
    low, unit, checked = (
        default if v is None else bool(r.literal(v))
        for v, default in ((lower, False), (unit_diagonal, False), (check_finite, True))
    )
    turned = trans is not None and r.literal(trans) not in (0, "N")
    if len(a.dims) != 2 or len(b.dims) not in (1, 2) or a.dtype != b.dtype:
        raise Unsupported("such a triangular system")
    n, vector = r.same(a.dims[0], b.dims[0]), len(b.dims) == 1
    m = integer(1) if vector else b.dims[1]
    b = r.materialised(b)
    if r.source is None and by_routine(r, n) and not unit:
        if checked:
            for view in (a, b):
                r.nest(view.dims, lambda at, view=view: [Bail(infinite(view.at(at)))])
        return triangle_solved(r, a, b, low, turned, (n, m))
    x = r.buffer((n, m), a.dtype, "x")

    def at(i: Any, j: Any) -> Any:
        return a.at((j, i) if turned else (i, j))

    with counted(r, 0, n, free=True) as i, counted(r, 0, m, free=True) as j:
        value = r.named(b.at((i,) if vector else (i, j)), "value")
        leave_unless_finite(r, value, checked)
        r.emit(Store(x, (i, j), value))
    if checked:  # of all of it, as SciPy does
        with counted(r, 0, n, free=True) as i, counted(r, 0, n, free=True) as j:
            leave_unless_finite(r, r.named(at(i, j), "value"), True)
    first = low != turned
    with counted(r, 0, n, back=not first) as i:
        with counted(r, 0 if first else plus(i, 1), i if first else n) as k:
            subtract_row(r, x, i, k, r.named(at(i, k), "ratio"), 0, m)
        if not unit:
            pivot = r.named(at(i, i), "pivot")
            r.emit(Bail(Op("equal", (pivot, Lit(0.0, a.dtype)), "b1")))
            divide_row(r, x, i, pivot, m)
    found = plain_view(x)
    zero = integer(0)
    return View(b.dims, a.dtype, lambda at: found.at((*at, zero))) if vector else found


def triangle_solved(
    r: Reader, a: View, b: View, low: bool, turned: bool, sizes: tuple[Any, Any]
) -> View:
    """By a routine, where the right-hand side was copied to."""
    a = r.copied(a) if not (a.whole and a.buffer is not None) else a
    x = r.copied(b, "x")
    assert a.buffer is not None and x.buffer is not None
    name = f"{'lower' if low else 'upper'}_solve{'_t' if turned else ''}"
    r.emit(routine(r, name, sizes, a.buffer, x.buffer))
    return x


def leave_unless_finite(r: Reader, value: Any, checked: bool) -> None:
    if checked:
        r.emit(Bail(infinite(value)))


def infinite(value: Any) -> Op:
    return Op("logical_not", (Op("isfinite", (value,), "b1"),), "b1")


@reads_helper("solve_lower")
def solve_lower(r: Reader, low: Any, b: Any, adjoint: Any = None) -> View:
    """``rt.solve_lower``: by a routine for a large matrix, and as any system for a small one."""
    if r.device is not None:
        raise Unsupported("rt.solve_lower")
    low, b = square(r, low), r.array(b)
    turned = adjoint is not None and bool(r.literal(adjoint))
    if isinstance(b, Scalar):
        raise Unsupported("a system for a number")
    if not by_routine(r, low.dims[-1]):
        rank = len(low.dims)
        herm = permuted(r, low, (*range(rank - 2), rank - 1, rank - 2)) if turned else low
        return solve(r, herm, b)
    if len(b.dims) > 2 or low.dtype != b.dtype:
        raise Unsupported("such a triangular system")
    n = r.same(low.dims[0], b.dims[0])
    m = b.dims[1] if len(b.dims) == 2 else integer(1)
    return triangle_solved(r, low, r.materialised(b), True, turned, (n, m))


@reads(np.linalg.inv)
@complex_too
def inv(r: Reader, a: Any) -> View:
    """``np.linalg.inv``."""
    if r.device is not None:
        return of_library(r, "inv", a)
    a = square(r, a)
    n = a.dims[-1]

    def unit(index: tuple[Any, ...]) -> Any:
        same = Op("equal", (index[0], index[1]), "b1")
        return Op("where", (same, Lit(1.0, a.dtype), Lit(0.0, a.dtype)), a.dtype)

    return solve(r, a, View((n, n), a.dtype, unit, cheap=True))


@reads(np.linalg.slogdet)
def slogdet(r: Reader, a: Any) -> Items:
    """``np.linalg.slogdet``: the sign, and the logarithm of the absolute value."""
    a = square(r, a)

    def step(sign: Var, size: Var, pivot: Any) -> None:
        dtype = pivot.dtype
        negative = Op("less", (pivot, Lit(0.0, dtype)), "b1")
        r.emit(If(negative, [Set(sign, Op("negative", (sign,), dtype))]))
        log = Op("log", (Op("absolute", (pivot,), dtype),), dtype)
        r.emit(Set(size, arithmetic("add", size, log)))

    return Items(along_diagonal(r, a, 0.0, step), kind="SlogdetResult")


@reads_helper("cofactor")
def cofactor(r: Reader, a: Any) -> Any:
    """``rt.cofactor``: ``det(a) inv(a).T``, unless that would lose digits."""
    a = square(r, a)
    if len(a.dims) > 2:
        raise Unsupported("rt.cofactor of a stack")
    n, dtype = a.dims[-1], a.dtype
    factor, _ = factor_of(r, a, of_stack(a, (), 2), n)
    low, high = varying(r, "low", Lit(np.inf, dtype)), varying(r, "high", Lit(0.0, dtype))
    with counted(r, 0, n) as k:
        size = r.named(Op("absolute", (Get(factor.lu, (k, k)),), dtype), "size")
        r.emit(Set(low, Op("minimum", (low, size), dtype)))
        r.emit(Set(high, Op("maximum", (high, size), dtype)))
    small = arithmetic("multiply", high, Lit(1e-3 if dtype == "f4" else 1e-6, dtype))
    r.emit(Bail(Op("less", (low, small), "b1")))
    return elementwise(r, np.multiply, permuted(r, inv(r, a), (1, 0)), det(r, a))


@reads(np.linalg.det)
def det(r: Reader, a: Any) -> Any:
    """``np.linalg.det``."""
    a = square(r, a)

    def step(sign: Var, size: Var, pivot: Any) -> None:
        r.emit(Set(size, arithmetic("multiply", size, pivot)))

    return elementwise(r, np.multiply, *along_diagonal(r, a, 1.0, step))


def along_diagonal(r: Reader, a: View, start: float, step: Any) -> tuple[Any, Any]:
    """The sign of the exchanges, and what the pivots of the factor come to, for every matrix."""
    n, lead, dtype = a.dims[-1], a.dims[:-2], a.dtype
    signs, sizes = (
        (r.buffer(lead, dtype, hint) for hint in ("sign", "size")) if lead else (None, None)
    )
    found: list[Any] = []

    def one(index: tuple[Any, ...]) -> None:
        factor, _ = factor_of(r, a, of_stack(a, index, 2), n)
        sign, size = varying(r, "sign", Lit(1.0, dtype)), varying(r, "size", Lit(start, dtype))
        with counted(r, 0, n) as k:
            turn = Op("not_equal", (Get(factor.rows, (k,)), k), "b1")
            r.emit(If(turn, [Set(sign, Op("negative", (sign,), dtype))]))
            step(sign, size, r.named(Get(factor.lu, (k, k)), "pivot"))
        if signs is None or sizes is None:
            found.extend(Scalar(v, weak=False) for v in (sign, size))
            return
        r.emit(Store(signs, index, sign))
        r.emit(Store(sizes, index, size))

    each(r, lead, one)
    return (plain_view(signs), plain_view(sizes)) if signs and sizes else (found[0], found[1])


@reads(np.linalg.cholesky)
def cholesky(r: Reader, a: Any) -> View:
    if r.device is not None:
        return of_library(r, "cholesky", a)
    """``np.linalg.cholesky``: the lower factor, row by row."""
    a = square(r, a)
    n, dtype = a.dims[-1], a.dtype
    if by_routine(r, n) and len(a.dims) == 2:
        lower = r.copied(a, "cholesky")
        assert lower.buffer is not None
        r.emit(routine(r, "cholesky", (n,), lower.buffer, fails=True))
        return lower
    made = r.buffer(a.dims, dtype, "cholesky", zero=True)

    def one(index: tuple[Any, ...]) -> None:
        element = of_stack(a, index, 2)

        def at(i: Any, j: Any) -> Get:
            return Get(made, (*index, i, j))

        with counted(r, 0, n) as i:
            with counted(r, 0, i) as j:
                rest = less_dot(r, element(i, j), at, i, j, j)
                r.emit(Store(made, (*index, i, j), arithmetic("divide", rest, at(j, j))))
            rest = less_dot(r, element(i, i), at, i, i, i)
            good = Op("greater", (rest, Lit(0.0, dtype)), "b1")
            r.emit(Bail(Op("logical_not", (good,), "b1")))
            r.emit(Store(made, (*index, i, i), Op("sqrt", (rest,), dtype)))

    each(r, a.dims[:-2], one)
    return plain_view(made)


def less_dot(r: Reader, start: Any, at: Any, i: Any, j: Any, n: Any) -> Var:
    """``start - row_i . row_j`` of their first ``n`` elements."""
    product = varying(r, "dot", Lit(0.0, start.dtype))
    with counted(r, 0, n, free=True) as k:
        r.emit(Accumulate(product, "add", arithmetic("multiply", at(i, k), at(j, k))))
    found = r.fresh("rest", start.dtype)
    r.emit(Let(found, arithmetic("subtract", start, product)))
    return found
