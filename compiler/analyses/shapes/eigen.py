"""Types of eigenvalues, singular values, their vectors, and norms computed from them.

What ``np.linalg.eig`` gives is complex as far as anybody knows before it runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Size, Type
from .linalg import cut, floating, results, short_side, square
from .reductions import reduced
from .shaping import as_array, dims_of, like_second
from .table import shape

__all__: list[str] = []

Dims = tuple[Size, ...] | None


@shape(np.linalg.eigvalsh)
def _(a: Type, UPLO: Any = "L") -> Type:
    return floating(a, cut(dims_of(a), 1), real=True)


@shape(np.linalg.eigh)
def _(a: Type, UPLO: Any = "L") -> Type:
    values = floating(a, cut(dims_of(a), 1), real=True)
    return results(values, floating(a, square(dims_of(a))), of=np.linalg.eigh)


@shape(np.linalg.svdvals)
def _(x: Type) -> Type:
    return floating(x, short_side(dims_of(x)), real=True)


@shape(np.linalg.svd)
def _(a: Type, full_matrices: Any = True) -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    if dims is None or s is None or not isinstance(full_matrices, bool):
        return results(
            floating(a, None), floating(a, s, real=True), floating(a, None), of=np.linalg.svd
        )
    m, n = (dims[-2], dims[-1]) if full_matrices else (s[-1], s[-1])
    u, vh = (*dims[:-1], m), (*dims[:-2], n, dims[-1])
    return results(floating(a, u), floating(a, s, real=True), floating(a, vh), of=np.linalg.svd)


@shape(linear.thin)
def _(factor: Type, s: Type, axis: Any) -> Type:
    return factor


@shape(linear.gaps, linear.vector_gaps, linear.singular_gaps)
def _(w: Type) -> Type:
    dims = dims_of(w)
    return floating(w, None if dims is None else (*dims, dims[-1]))


@shape(linear.some)
def _(factor: Type, s: Type, axis: Any) -> Type:
    dims, few = dims_of(factor), dims_of(s)
    if dims is None or few is None or axis not in (-1, -2):
        return floating(factor, None)
    n = few[-1]
    return floating(factor, (*dims[:-1], n) if axis == -1 else (*dims[:-2], n, dims[-1]))


@shape(linear.reciprocal)
def _(x: Type) -> Type:
    return floating(x, dims_of(x))


@shape(np.linalg.eigvals)
def _(a: Type) -> Type:
    return Array(None, cut(dims_of(a), 1), "c")


@shape(np.linalg.eig)
def _(a: Type) -> Type:
    values = Array(None, cut(dims_of(a), 1), "c")
    return results(values, Array(None, square(dims_of(a)), "c"), of=np.linalg.eig)


@shape(linear.eigenvectors)
def _(a: Type, w: Type) -> Type:
    return Array(None, square(dims_of(a)), "c")


@shape(linear.steady)
def _(e: Type, v: Type) -> Type:
    return Array(None, dims_of(v), "c")


@shape(linear.top)
def _(x: Type, v: Type) -> Type:
    dims = dims_of(x)
    return Array(None, None if dims is None else (*dims[:-2], 1, dims[-1]), "c")


@shape(linear.untop)
def _(c: Type, v: Type) -> Type:
    return like_second(c, v)


# norms


@shape(linear.spectral_norm)
def _(x: Type, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Type:
    array = as_array(x)
    return floating(x, None if array is None else reduced(array, axis, keepdims), real=True)


@shape(linear.spectral_slope)
def _(x: Type, ord: Any = None, axis: Any = None) -> Type:
    return floating(x, dims_of(x))


@shape(np.linalg.vector_norm)
def _(x: Type, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Type:
    array = as_array(x)
    return floating(x, None if array is None else reduced(array, axis, keepdims), real=True)


@shape(np.linalg.matrix_norm)
def _(x: Type, keepdims: Any = False, ord: Any = "fro") -> Type:
    array = as_array(x)
    return floating(x, None if array is None else reduced(array, (-2, -1), keepdims), real=True)


@shape(np.linalg.cond, linear.spectral_cond)
def _(x: Type, p: Any = None) -> Type:
    return floating(x, cut(dims_of(x), 2), real=True)


@shape(linear.order_share, linear.cond_share)
def _(s: Type, ord: Any = None) -> Type:
    return floating(s, dims_of(s))


@shape(linear.matrices)
def _(x: Type, axis: Any = None) -> Type:
    return moved(x, dims_of(x), axis, (-2, -1))


@shape(linear.unmatrices)
def _(x: Type, axis: Any = None) -> Type:
    return moved(x, dims_of(x), (-2, -1), axis)


def moved(x: Type, dims: Dims, here: Any, there: Any) -> Type:
    if here is None or there is None or dims is None:
        return floating(x, dims)
    if not isinstance(here, (tuple, list)) or not isinstance(there, (tuple, list)):
        return floating(x, None)
    numbered = np.empty(tuple(range(len(dims))))  # each axis has its own number as its length
    return floating(x, tuple(dims[k] for k in np.moveaxis(numbered, here, there).shape))
