"""Matrix products: loops that vectorise, and the library's where matrices are large."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import (
    Accumulate,
    For,
    Get,
    Lit,
    Op,
    Product,
    Routine,
    Set,
    Store,
    Var,
    affine,
    integer,
    variables,
)
from ...loop_ir.scalar_operations import is_one
from ...loop_ir.values import Scalar, View, common, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_method, reads_ufunc_method
from ..library_calls import library_call
from ..reader import Reader
from .elementwise import elementwise, in_dtype
from .reductions import total
from .shaping import permuted, reshape

__all__ = ["in_rows", "matmul", "start_of"]


def operands(r: Reader, a: Any, b: Any) -> tuple[Any, Any]:
    a, b = r.array(a), r.array(b)
    dtype = common(a, b)
    if dtype[0] not in "fc":
        raise Unsupported("a product of integers")
    return in_dtype(r, a, dtype), in_dtype(r, b, dtype)


@reads(np.matmul)
@complex_too
def matmul(r: Reader, a: Any, b: Any) -> Any:
    """``a @ b`` of vectors, matrices and stacks of matrices."""
    a, b = operands(r, a, b)
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        raise Unsupported("@ of a number")
    p, q = len(a.dims), len(b.dims)
    k = r.same(a.dims[-1], b.dims[-2] if q > 1 else b.dims[0])
    if p == 1 and q == 1:
        return total(r, elementwise(r, np.multiply, a, b))
    if r.device is not None:
        return of_library(r, a, b)
    a, b = r.materialised(a), r.materialised(b)
    if r.source is not None and max(p, q) == 2:
        return by_routine(r, a, b, k)
    if p == 2 and q == 1:
        return matrix_vector(r, a, b, a.dims[0], k, False)
    if p == 1 and q == 2:
        return matrix_vector(r, b, a, b.dims[1], k, True)
    if p == 2 and q == 2:
        return matrix_matrix(r, a, b, a.dims[0], k, b.dims[1])
    return stacked(r, a, b, k)


def by_routine(r: Reader, a: View, b: View, k: Any) -> View:
    """``a @ b`` by a routine, for matrices that lie by rows or by columns."""
    (a, first), (b, second) = (in_rows(r, x) for x in (a, b))
    rows, columns = a.dims[:-1], b.dims[1:]
    made = plain_view(r.buffer((*rows, *columns), a.dtype, "product"))
    sizes = (*rows, k, *columns)
    name = "matmul" if rows and columns else "matvec"
    if not rows:  # x @ m is m.T @ x
        a, b, first, sizes = b, a, not second, (*columns, k)
    turned = {(False, False): "", (True, False): "_tn", (False, True): "_nt", (True, True): "_tt"}
    suffix = turned[first, second] if name == "matmul" else "_t" if first else ""
    operands = tuple(map(start_of, (a, b, made)))
    assert made.buffer is not None
    r.emit(Routine(name + suffix, tuple(map(r.norm, sizes)), operands, made.buffer))
    return made


def in_rows(r: Reader, x: View) -> tuple[View, bool]:
    """An array whose elements lie one after the other in memory, and whether transposed: a copy if they do not."""
    probes = tuple(affine(Var(f"probe_{k}")) for k in range(len(x.dims)))
    found = x.at(probes)
    if isinstance(found, Get) and len(found.index) >= len(probes):
        cut = len(found.index) - len(probes)
        own = tuple(map(r.norm, found.buffer.dims[cut:]))
        fixed = not any(
            v.name.startswith("probe_") for e in found.index[:cut] for v in variables(e)
        )
        dims = tuple(map(r.norm, x.dims))
        if fixed and found.index[cut:] == probes and own == dims:
            return x, False
        if fixed and found.index[cut:] == probes[::-1] and own == dims[::-1]:
            return x, True
    return r.copied(x), False


def from_the_start(r: Reader, x: View) -> tuple[View, bool]:
    """The same, its buffer's first element being its own: a part of a larger one is copied."""
    x, turned = in_rows(r, r.materialised(x))
    assert x.buffer is not None
    if len(x.buffer.dims) != len(x.dims):
        return r.copied(x), False
    return x, turned


def start_of(x: View) -> Get:
    found = x.at((integer(0),) * len(x.dims))
    assert isinstance(found, Get)
    return found


def of_library(r: Reader, a: View, b: View) -> View:
    """``a @ b`` by the device's library."""
    batch = r.broadcast([a.dims[:-2], b.dims[:-2]]) if len(a.dims) + len(b.dims) > 3 else ()
    if batch and min(len(a.dims), len(b.dims)) == 1:
        raise Unsupported("@ of a stack and a vector")
    rows, columns = a.dims[-2:-1], b.dims[1:] if len(b.dims) < 3 else b.dims[-1:]
    return library_call(r, "cp.matmul({}, {})", [a, b], (*batch, *rows, *columns), a.dtype)


@reads(np.dot)
@reads_method("dot")
@complex_too
def dot(r: Reader, a: Any, b: Any) -> Any:
    """``np.dot``: a product of numbers, too."""
    a, b = r.array(a), r.array(b)
    if not a.dims or not b.dims:
        return elementwise(r, np.multiply, a, b)
    if len(a.dims) > 2 or len(b.dims) > 2:
        raise Unsupported("np.dot of stacks")
    return matmul(r, a, b)


@reads(np.vdot)
def vdot(r: Reader, a: Any, b: Any) -> Any:
    """``np.vdot``: of all entries, whatever the shapes."""
    a, b = (x if len(r.array(x).dims) == 1 else reshape(r, x, scalar(-1)) for x in (a, b))
    return matmul(r, a, b)


@reads(np.inner)
def inner(r: Reader, a: Any, b: Any) -> Any:
    ranks = len(r.array(a).dims), len(r.array(b).dims)
    if ranks not in ((1, 1), (2, 1), (1, 2), (2, 2)):
        raise Unsupported("np.inner of stacks or numbers")
    return matmul(r, a, permuted(r, b, (1, 0)) if ranks[1] == 2 else b)


@reads(np.outer)
@reads_ufunc_method(np.multiply, "outer")
@complex_too
def outer(r: Reader, a: Any, b: Any) -> Any:
    """``np.outer`` of vectors."""
    a, b = r.array(a), r.array(b)
    if len(a.dims) != 1 or len(b.dims) != 1:
        raise Unsupported("np.outer of matrices")
    a, b = (x if x.cheap else r.materialised(x) for x in (a, b))
    column = View((*a.dims, integer(1)), a.dtype, lambda i: a.at(i[:1]), cheap=True)
    return elementwise(r, np.multiply, column, b)


def order(r: Reader, value: View) -> bool | None:
    """True if a matrix lies transposed in its buffer, False if straight; None if neither.

    Of a buffer that is a matrix itself, whose rows it has as a whole.
    """
    i, j = affine(Var("probe_0")), affine(Var("probe_1"))
    found = value.at((i, j))
    if not isinstance(found, Get) or len(found.buffer.dims) != 2:
        return None
    row = r.norm(found.buffer.dims[1])
    if found.index == (i, j):
        return False if row == r.norm(value.dims[1]) else None
    return True if found.index == (j, i) and row == r.norm(value.dims[0]) else None


def by_rows(m: View) -> bool:
    """True if the last index of a matrix moves along its memory."""
    i, j = affine(Var("probe_0")), affine(Var("probe_1"))
    found = m.at((i, j))
    last = found.index[-1] if isinstance(found, Get) and found.index else None
    return last is None or any(v == (Var("probe_1"), 1) for v in affine(last).terms)


def matrix_vector(r: Reader, m: View, v: View, n: Any, k: Any, flipped: bool) -> View:
    """``m @ v``, or ``m.T @ v`` if ``flipped``: along the memory of ``m``."""

    def at(i: Any, j: Any) -> Any:
        return m.at((j, i) if flipped else (i, j))

    dtype = m.dtype
    if by_rows(m) != flipped:  # the index that is summed over is the fast one
        made = r.buffer((n,), dtype, "dot")
        var, i, j = r.fresh("acc", dtype), r.fresh("i"), r.fresh("j")
        r.mutable.add(var.name)
        product = Op("multiply", (at(affine(i), affine(j)), v.at((affine(j),))), dtype)
        loop = For(j, integer(0), r.norm(k), [Accumulate(var, "add", product)], free=True)
        body: list[Any] = [Set(var, Lit(0.0, dtype)), loop, Store(made, (affine(i),), var)]
        r.emit(For(i, integer(0), r.norm(n), body, free=True))
        return plain_view(made)
    made = r.buffer((n,), dtype, "dot", zero=True)
    i, j = r.fresh("i"), r.fresh("j")
    product = Op("multiply", (at(affine(i), affine(j)), v.at((affine(j),))), dtype)
    body = [Store(made, (affine(i),), product, "add")]
    r.emit(
        For(j, integer(0), r.norm(k), [For(i, integer(0), r.norm(n), body, free=True)], free=False)
    )
    return plain_view(made)


def matrix_matrix(r: Reader, a: View, b: View, m: Any, k: Any, n: Any) -> View:
    first, second = order(r, a), order(r, b)
    if first is None:
        a, first = r.copied(a), False
    library_b = r.copied(b) if second is None else b  # rows of b are read in the inner loop
    dtype = a.dtype
    made = r.buffer((m, n), dtype, "dot")
    i, j, p = r.fresh("i"), r.fresh("j"), r.fresh("p")
    with r.into([]) as loops:
        r.fill(plain_view(made), Scalar(Lit(0.0, dtype)))
        product = Op(
            "multiply",
            (a.at((affine(i), affine(p))), library_b.at((affine(p), affine(j)))),
            dtype,
        )
        body: list[Any] = [Store(made, (affine(i), affine(j)), product, "add")]
        inner_ = For(j, integer(0), r.norm(n), body, free=True)
        middle = For(p, integer(0), r.norm(k), [inner_], free=False)
        r.emit(For(i, integer(0), r.norm(m), [middle], free=True))
    if dtype == "c16":  # the library's products are of real numbers
        for stmt in loops:
            r.emit(stmt)
        return plain_view(made)
    flipped = order(r, library_b)
    assert a.buffer is not None and library_b.buffer is not None
    r.emit(
        Product(
            made, (a.buffer, first), (library_b.buffer, bool(flipped)),
            (r.norm(m), r.norm(k), r.norm(n)), loops,
        )
    )  # fmt: skip
    return plain_view(made)


def stacked(r: Reader, a: View, b: View, k: Any) -> View:
    """Stacks of matrices, and vectors with stacks."""
    if len(a.dims) == 1 or len(b.dims) == 1:
        return stack_and_vector(r, a, b, k)
    batch = r.broadcast([a.dims[:-2], b.dims[:-2]])
    dims = (*batch, a.dims[-2], b.dims[-1])
    made = r.buffer(dims, a.dtype, "dot", zero=True)
    first, second = batch_index(a, len(batch)), batch_index(b, len(batch))
    rank = len(batch)

    def store(lead: tuple[Any, ...], i: Any, p: Any, j: Any) -> list[Any]:
        value = Op("multiply", (a.at((*first(lead), i, p)), b.at((*second(lead), p, j))), a.dtype)
        return [Store(made, (*lead, i, j), value, "add")]

    if outside(a, first, rank):  # neighbours in memory are those of the stack
        r.nest((k, *dims), lambda at: store(at[1 : 1 + rank], at[-2], at[0], at[-1]), bound=(0,))
    else:
        r.nest(
            (*dims[:-1], k, dims[-1]),
            lambda at: store(at[:rank], at[rank], at[-2], at[-1]),
            bound=(rank + 1,),
        )
    return plain_view(made)


def stack_and_vector(r: Reader, a: View, b: View, k: Any) -> View:
    """A stack times a vector, each of whose rows is summed; or a vector times a stack."""
    before = len(a.dims) == 1
    stack, v = (b, a) if before else (a, b)
    rank = len(stack.dims) - 2
    dims = (*stack.dims[:rank], stack.dims[-1 if before else -2])
    made = r.buffer(dims, a.dtype, "dot", zero=True)

    def store(at: tuple[Any, ...]) -> list[Any]:
        p = at[rank] if before else at[-1]
        own = (*at[:rank], at[-1] if before else at[rank])
        value = Op("multiply", (stack.at(at), v.at((p,))), a.dtype)
        return [Store(made, own, value, "add")]

    r.nest(
        (*dims[:rank], k, dims[-1]) if before else (*dims, k), store, bound=(rank + (not before),)
    )
    return plain_view(made)


def outside(a: View, first: Any, rank: int) -> bool:
    """True if the stack's last index moves along the memory of ``a``."""
    lead = tuple(affine(Var(f"probe_{n}")) for n in range(rank))
    found = a.at((*first(lead), affine(Var("probe_i")), affine(Var("probe_p"))))
    if not isinstance(found, Get) or not found.index or not rank:
        return False
    return any(v == Var(f"probe_{rank - 1}") for v, _ in affine(found.index[-1]).terms)


def batch_index(x: View, rank: int) -> Any:
    own = x.dims[:-2]
    return lambda lead: tuple(
        integer(0) if is_one(n) else i for n, i in zip(own, lead[rank - len(own) :], strict=True)
    )
