"""Shapes of linear algebra: solutions, factors, determinants."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime import linear

from ..types import Array, Number, Size, Tree, Type, join_dims
from .shapes_algebra import matmul_dims, product_type
from .shapes_shaping import as_array, dims_of, like_second
from .shapes_table import shape

__all__ = ["cut", "floating", "results", "short_side"]

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
    return floating(a, dims_of(a))


@shape(linear.herm)
def _(x: Type, when: Any = True) -> Type:
    dims = dims_of(x)
    if dims is None or not isinstance(when, bool):
        return floating(x, None)
    return floating(x, (*dims[:-2], dims[-1], dims[-2]) if when else dims)


@shape(linear.hermitian, linear.phi, linear.upper_part, linear.upper_pull)
def _(x: Type) -> Type:
    return floating(x, dims_of(x))


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
    return results(floating(a, dims), floating(a, dims, real=True))


@shape(np.linalg.qr)
def _(a: Type, mode: Any = "reduced") -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    if mode not in ("reduced", "complete"):
        return None
    if dims is None or s is None:
        return results(floating(a, None), floating(a, None))
    k = s[-1] if mode == "reduced" else dims[-2]
    return results(floating(a, (*dims[:-1], k)), floating(a, (*dims[:-2], k, dims[-1])))


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


@shape(np.linalg.tensorinv)
def _(a: Type, ind: Any = 2) -> Type:
    dims = dims_of(a)
    known = dims is not None and isinstance(ind, int)
    return floating(a, (*dims[ind:], *dims[:ind]) if known else None)  # type: ignore[index]


@shape(np.linalg.pinv)
def _(a: Type, rcond: Any = None, hermitian: Any = False) -> Type:
    dims = dims_of(a)
    return floating(a, None if dims is None else (*dims[:-2], dims[-1], dims[-2]))


def cut(dims: Dims, k: int) -> Dims:
    return None if dims is None else dims[:-k]


def short_side(dims: Dims) -> Dims:
    """The dims of the singular values of a matrix."""
    if dims is None:
        return None
    m, n = dims[-2:]
    both = isinstance(m, int) and isinstance(n, int)
    short = m if m == n else min(m, n) if both else None  # type: ignore[type-var]
    return (*dims[:-2], short)


def results(*types: Type) -> Tree:
    return Tree("tuple", tuple(range(len(types))), types)
