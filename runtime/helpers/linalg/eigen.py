"""The helpers of eigenvalues and singular values: gaps that may be 0, vectors, norms of the spectrum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..reductions import share_ties

__all__ = [
    "cond_share",
    "eigenvectors",
    "gaps",
    "matrices",
    "order_share",
    "reciprocal",
    "singular_gaps",
    "some",
    "spectral_cond",
    "spectral_norm",
    "spectral_slope",
    "steady",
    "thin",
    "top",
    "unmatrices",
    "untop",
    "vector_gaps",
]

Value = Any


# Eigenvalues and singular values that may be close or equal


def reciprocal(x: Value) -> Value:
    """1 / x, and 0 where x is 0.

    >>> reciprocal(np.array([0.0, 2.0]))
    array([0. , 0.5])
    """
    return np.where(x == 0, 0, 1 / np.where(x == 0, 1, x))


def gaps(w: Value) -> Value:
    """``1 / (w[j] - w[i])`` for every pair, 0 for equal ones.

    >>> gaps(np.array([1.0, 3.0])).tolist()
    [[0.0, 0.5], [-0.5, 0.0]]
    """
    return reciprocal(w[..., None, :] - w[..., :, None])


def vector_gaps(w: Value) -> Value:
    """`gaps`, but nan for equal ones (not for one and itself): how far vectors turn is not determined.

    >>> vector_gaps(np.array([1.0, 3.0, 3.0])).tolist()[1]
    [-0.5, 0.0, nan]
    """
    equal = (w[..., None, :] == w[..., :, None]) & ~np.eye(w.shape[-1], dtype=bool)
    return np.where(equal, np.nan, gaps(w))


def singular_gaps(s: Value) -> Value:
    """``1 / (s[j]**2 - s[i]**2)`` for every pair, nan for equal ones: see `vector_gaps`."""
    return vector_gaps(s) * reciprocal(s[..., None, :] + s[..., :, None])


def thin(factor: Value, s: Value, axis: int) -> Value:
    """``factor``, which must have one vector for each entry of ``s``."""
    if factor.shape[axis] != s.shape[-1]:
        raise UnsupportedOperation(
            "np.linalg.svd: the vectors that only complete a basis have no derivative",
            fix="pass full_matrices=False",
        )
    return factor


def some(factor: Value, s: Value, axis: int) -> Value:
    """The vectors in ``factor`` that belong to an entry of ``s``.

    >>> some(np.eye(3), np.ones(2), -2).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    n = s.shape[-1]
    return factor[..., :n] if axis == -1 else factor[..., :n, :]


# Eigenvectors of general matrices: of length 1, the largest entry of each is real


def eigenvectors(a: Value, w: Value) -> Value:
    """The eigenvectors of ``a`` in the order of the eigenvalues ``w``.

    >>> eigenvectors(np.diag([1.0, 2.0]), np.array([2.0, 1.0])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    found, v = np.linalg.eig(a)
    if not np.array_equal(found, w):
        v = np.take_along_axis(v, nearest(found, w)[..., None, :], axis=-1)
    return v if np.iscomplexobj(w) else np.real(v)


def nearest(found: Value, w: Value) -> np.ndarray:
    """For each entry of ``w`` the place of the nearest one of ``found``, each place once."""
    apart = np.abs(w[..., :, None] - found[..., None, :])
    order = np.empty(w.shape, np.intp)
    for index in np.ndindex(*w.shape[:-1]):
        left = apart[index]
        for k in range(w.shape[-1]):
            order[(*index, k)] = best = np.argmin(left[k])
            left[:, best] = np.inf
    return order


def places(v: Value) -> Value:
    """In which row each column of ``v`` has its largest entry."""
    return np.argmax(np.abs(v), axis=-2)[..., None, :]


def top(x: Value, v: Value) -> Value:
    """The entry of each column of ``x`` that stands where that of ``v`` is largest.

    >>> top(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [[3.0, 2.0]]
    """
    return np.take_along_axis(x, places(v), axis=-2)


def untop(c: Value, v: Value) -> Value:
    """`top`, transposed: each entry of ``c`` where the column of ``v`` is largest, and zeros.

    >>> untop(np.array([[5.0, 6.0]]), np.array([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [[0.0, 6.0], [5.0, 0.0]]
    """
    out = np.zeros(np.shape(v), np.result_type(c))
    np.put_along_axis(out, places(v), c, axis=-2)
    return out


def steady(e: Value, v: Value) -> Value:
    """The part of the change ``e`` of the columns ``v`` that keeps their lengths and largest phases.

    >>> steady(np.array([[2.0], [3.0]]), np.array([[1.0], [0.0]])).tolist()
    [[0.0], [3.0]]
    """
    along = np.sum(np.real(np.conj(v) * e), axis=-2, keepdims=True)
    if np.iscomplexobj(v) or np.iscomplexobj(e):
        along = along + 1j * np.imag(top(e, v) / top(v, v))
    return e - v * along


# Norms of the singular values


def matrices(x: Value, axis: Any = None) -> Value:
    """``x`` with the two axes of its matrices last.

    >>> matrices(np.zeros((2, 3, 4)), (0, 1)).shape
    (4, 2, 3)
    """
    return x if axis is None else np.moveaxis(x, axis, (-2, -1))


def unmatrices(x: Value, axis: Any = None) -> Value:
    """The inverse of `matrices`."""
    return x if axis is None else np.moveaxis(x, (-2, -1), axis)


def order_share(s: Value, ord: Any) -> Value:
    """The slope of a norm in each of the singular values ``s``: ties share evenly.

    >>> order_share(np.array([2.0, 2.0, 1.0]), 2), order_share(np.array([2.0, 0.0]), "nuc")
    (array([0.5, 0.5, 0. ]), array([1., 1.]))
    """
    if ord == "nuc":
        return np.ones_like(s)
    best = np.max(s, axis=-1) if ord == 2 else np.min(s, axis=-1)
    return share_ties(best, s, axis=-1)


def cond_share(s: Value, p: Any = None) -> Value:
    """The slope of the logarithm of a condition number in that of each singular value."""
    out = np.zeros_like(s)
    out[..., 0] += 1 if p in (None, 2) else -1
    out[..., -1] -= 1 if p in (None, 2) else -1
    return out


def spectral_norm(x: Value, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Value:
    """``np.linalg.norm`` where it is a norm of the singular values: ``ord`` is 2, -2 or "nuc"."""
    return np.linalg.norm(x, ord, axis, keepdims)


def spectral_slope(x: Value, ord: Any = None, axis: Any = None) -> Value:
    """The gradient of a norm of the singular values.

    >>> spectral_slope(np.diag([3.0, 2.0]), 2).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    u, s, vh = np.linalg.svd(matrices(x, axis), full_matrices=False)
    return unmatrices((u * order_share(s, ord)[..., None, :]) @ vh, axis)


def spectral_cond(x: Value, p: Any = None) -> Value:
    """``np.linalg.cond`` where it is a quotient of singular values: ``p`` is None, 2 or -2."""
    return np.linalg.cond(x, p)
