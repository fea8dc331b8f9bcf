"""Shapes of linear algebra: solutions, factors, determinants."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Dim, Number, Size, Tree, Type, join_dims
from .products import matmul_dims, product_type
from .shaping import as_array, dims_of, like_second
from .table import shape

__all__ = ["cut", "floating", "results", "short_side", "square"]

Dims = tuple[Size, ...] | None


def floating(x: Any, dims: Dims, real: bool = False) -> Array:
    """An array of these dims in the dtype that np.linalg gives for ``x``."""
    array = as_array(x)
    if array is None or array.dtype is None:
        known = array.kind if array is not None and array.kind in ("f", "c") else None
        return Array(None, dims, "f" if real else known)
    dtype = np.dtype(array.dtype)
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    dtype = np.zeros(0, dtype).real.dtype if real else dtype
    return Array(dtype.name, dims, dtype.kind)


@shape(np.linalg.inv, np.linalg.cholesky, linear.cofactor, np.linalg.matrix_power)
def _(a: Type, *_args: Any, **_kwargs: Any) -> Type:
    return floating(a, square(dims_of(a)))


@shape(linear.herm)
def _(x: Type, when: Any = True) -> Type:
    dims = dims_of(x)
    if dims is None or not isinstance(when, bool):
        return floating(x, None)
    return floating(x, (*dims[:-2], dims[-1], dims[-2]) if when else dims)


@shape(linear.hermitian)
def _(x: Type, when: Any = True) -> Type:
    return floating(x, dims_of(x))


@shape(linear.phi, linear.upper_part, linear.upper_pull)
def _(x: Type) -> Type:
    return floating(x, dims_of(x))


@shape(linear.solve_lower)
def _(low: Type, b: Type, adjoint: Any = False) -> Type:
    return product_type(low, b, dims_of(b))


@shape(linear.over)
def _(x: Type, r: Type) -> Type:
    return product_type(x, r, dims_of(x))


@shape(linear.cofactor_push)
def _(e: Type, a: Type) -> Type:
    return product_type(e, a, join_dims(dims_of(e), dims_of(a)))


@shape(linear.turn, linear.turn_pull)
def _(t: Type, phase: Type) -> Type:
    return Array(None, join_dims(dims_of(t), dims_of(phase)))


@shape(linear.powers)
def _(a: Type, n: Any) -> Type:
    dims = dims_of(a)
    count = abs(n) if isinstance(n, int) else None
    return floating(a, None if dims is None else (count, *dims))


@shape(linear.matrix_convolve)
def _(x: Type, y: Type, lag: Any) -> Type:
    return product_type(x, y, matmul_dims(dims_of(x), dims_of(y)))


def square(dims: Dims) -> Dims:
    """The dims of a matrix that is square, or the operation has failed.

    >>> square((3, None))
    (3, 3)
    """
    if dims is None or len(dims) < 2:
        return None
    n = dims[-1] if dims[-2] is None else dims[-2]
    return (*dims[:-2], n, n)


def solve_dims(a: Dims, b: Dims, like: Dims) -> Dims:
    """The dims of a solution (or product): vectors exactly if ``like`` has one axis."""
    if a is None or b is None or like is None:
        return None
    if len(like) != 1:
        return matmul_dims(a, b)
    columns = matmul_dims(a, (*b, 1))
    return None if columns is None else columns[:-1]


@shape(np.linalg.solve)
def _(a: Type, b: Type) -> Type:
    dims = solve_dims(dims_of(a), dims_of(b), dims_of(b))
    return floating(product_type(a, b, None), dims)


@shape(linear.solve_for)
def _(a: Type, b: Type, like: Type) -> Type:
    dims = solve_dims(dims_of(a), dims_of(b), dims_of(like))
    return floating(product_type(a, b, None), dims)


@shape(linear.apply)
def _(a: Type, x: Type, like: Type) -> Type:
    return product_type(a, x, solve_dims(dims_of(a), dims_of(x), dims_of(like)))


@shape(linear.column)
def _(x: Type, like: Type) -> Type:
    dims, rank = dims_of(x), dims_of(like)
    if dims is None or rank is None:
        return floating(x, None)
    return floating(x, (*dims, 1) if len(rank) == 1 else dims)


@shape(linear.uncolumn)
def _(x: Type, like: Type) -> Type:
    dims, rank = dims_of(x), dims_of(like)
    if dims is None or rank is None:
        return floating(x, None)
    return floating(x, dims[:-1] if len(rank) == 1 else dims)


@shape(np.linalg.det)
def _(a: Type) -> Type:
    return floating(a, cut(dims_of(a), 2))


@shape(np.linalg.slogdet)
def _(a: Type) -> Type:
    dims = cut(dims_of(a), 2)
    return results(floating(a, dims), floating(a, dims, real=True), of=np.linalg.slogdet)


@shape(np.linalg.qr)
def _(a: Type, mode: Any = "reduced") -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    if mode not in ("reduced", "complete"):
        return None
    if dims is None or s is None:
        return results(floating(a, None), floating(a, None), of=np.linalg.qr)
    k = s[-1] if mode == "reduced" else dims[-2]
    q, r = (*dims[:-1], k), (*dims[:-2], k, dims[-1])
    return results(floating(a, q), floating(a, r), of=np.linalg.qr)


@shape(linear.qr_r)
def _(a: Type, mode: Any) -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    return floating(a, None if dims is None or s is None else (*s, dims[-1]))


@shape(linear.economic)
def _(q: Type, r: Type, mode: Any = "reduced") -> Type:
    return q


@shape(linear.leading)
def _(x: Type, like: Type) -> Type:
    dims, other = dims_of(x), dims_of(like)
    return floating(x, None if dims is None or other is None else (*dims[:-1], other[-2]))


@shape(np.linalg.lstsq)
def _(a: Type, b: Type, rcond: Any = None) -> Type:
    dims, right = dims_of(a), dims_of(b)
    both = product_type(a, b, None)
    solution = None if dims is None or right is None else (dims[-1], *right[1:])
    values = floating(both, short_side(dims), real=True)
    return results(
        floating(both, solution), floating(both, (None,), real=True), Number("i"), values
    )


@shape(linear.if_there)
def _(c: Type, like: Type) -> Type:
    return like_second(c, like)


@shape(np.polyfit)
def _(x: Type, y: Type, deg: Any, **_kwargs: Any) -> Type:
    dims = dims_of(y)
    n = deg + 1 if isinstance(deg, int) else None
    double = product_type(product_type(x, y, None), Array("float64", (), "f"), None)
    return floating(double, None if dims is None else (n, *dims[1:]))


@shape(linear.falling)
def _(deg: Any, like: Type) -> Type:
    return floating(like, (deg + 1 if isinstance(deg, int) else None,))


@shape(linear.one_lower)
def _(k: Type) -> Type:
    return k


@shape(linear.rows_times)
def _(x: Type, w: Any = None) -> Type:
    return x if w is None else Array(None, dims_of(x))


@shape(np.linalg.tensorsolve)
def _(a: Type, b: Type, axes: Any = None) -> Type:
    left, right = dims_of(a), dims_of(b)
    known = left is not None and right is not None and axes is None
    both = product_type(a, b, None)
    return floating(both, left[len(right) :] if known else None)  # type: ignore[index, arg-type]


@shape(np.linalg.tensorinv)
def _(a: Type, ind: Any = 2) -> Type:
    dims = dims_of(a)
    known = dims is not None and isinstance(ind, int)
    return floating(a, (*dims[ind:], *dims[:ind]) if known else None)  # type: ignore[index]


@shape(np.linalg.pinv)
def _(a: Type, rcond: Any = None, hermitian: Any = False, rtol: Any = None) -> Type:
    dims = dims_of(a)
    return floating(a, None if dims is None else (*dims[:-2], dims[-1], dims[-2]))


def cut(dims: Dims, k: int) -> Dims:
    return None if dims is None else dims[:-k]


def short_side(dims: Dims) -> Dims:
    """The dims of the singular values of a matrix."""
    if dims is None:
        return None
    m, n = dims[-2:]
    return (*dims[:-2], shorter(m, n))


def shorter(m: Size, n: Size) -> Size:
    """The smaller of two sizes, by a name of its own where it is not known which that is."""
    if m is None or n is None or m == n:
        return m if m == n else None
    if isinstance(m, int) and isinstance(n, int):
        return min(m, n)
    certain = all(d.above_one if isinstance(d, Dim) else d > 1 for d in (m, n))
    return Dim(f"min({m},{n})", certain)


NAMED = {
    fn: type(fn(np.eye(1)))
    for fn in (np.linalg.eig, np.linalg.eigh, np.linalg.qr, np.linalg.slogdet, np.linalg.svd)
}


def results(*types: Type, of: Any = None) -> Tree:
    """A tuple, a named one for most functions ``of`` linear algebra."""
    return Tree("tuple", tuple(range(len(types))), types, NAMED.get(of))
