"""The helpers of determinants and of factorisations: cofactors, triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..shaping import mT

__all__ = [
    "cofactor",
    "cofactor_push",
    "economic",
    "herm",
    "hermitian",
    "leading",
    "over",
    "phi",
    "qr_r",
    "turn",
    "turn_pull",
    "upper_part",
    "upper_pull",
]

Value = Any


def herm(x: Value, when: bool = True) -> Value:
    """The conjugate transpose of the last two axes, or ``x`` itself.

    >>> herm(np.array([[1, 2j]])).tolist()
    [[(1-0j)], [-2j]]
    """
    return mT(np.conj(x)) if when else x


def hermitian(x: Value, when: bool = True) -> Value:
    """The Hermitian (symmetric) part, or ``x`` itself.

    >>> hermitian(np.array([[0.0, 2.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return (x + herm(x)) / 2 if when else x


def phi(x: Value) -> Value:
    """The lower triangle with half of the diagonal.

    >>> phi(np.ones((2, 2))).tolist()
    [[0.5, 0.0], [1.0, 0.5]]
    """
    return (np.tril(x) + np.tril(x, -1)) / 2


def upper_part(x: Value) -> Value:
    """The upper triangular ``u`` that differs from ``x`` by a skew-Hermitian matrix.

    >>> upper_part(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 5.0], [0.0, 4.0]]
    """
    return np.triu(x, 1) + herm(np.tril(x, -1)) + real_diagonal(x)


def upper_pull(c: Value) -> Value:
    """The transpose of `upper_part`."""
    above = np.triu(c, 1)
    return above + herm(above) + real_diagonal(c)


def real_diagonal(x: Value) -> Value:
    return np.real(x) * np.eye(x.shape[-2], x.shape[-1], dtype=np.real(x).dtype)


# Determinants, right for singular matrices as well: d det = sum of cofactors * da.


def cofactor(a: Value) -> Value:
    """The matrix of cofactors, ``det(a) * inv(a).T`` where ``a`` has an inverse.

    >>> cofactor(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12).tolist()
    [[4.0, -2.0], [-2.0, 1.0]]
    """
    u, s, vh, phase = rotations(a)
    return phase * (np.conj(u) * products_without(s)[..., None, :]) @ np.conj(vh)


def rotations(a: Value) -> tuple[Value, Value, Value, Value]:
    """The singular value decomposition of ``a`` and the determinant of its rotations.

    A matrix that is not finite has determinants, of NaN or infinities, and no singular values: NaN then.
    """
    finite = np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(finite, a, 0.0))
    phase = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    return u, s, vh, np.where(finite, phase, np.nan)


def products_without(s: Value) -> Value:
    """For each i the product of all the others."""
    n = s.shape[-1]
    return np.prod(np.where(np.eye(n, dtype=bool), 1, s[..., None, :]), axis=-1)


def pairs_without(s: Value) -> Value:
    """For each pair i, j the product of all the others; 0 for i = j."""
    n = s.shape[-1]
    out = np.zeros((*s.shape, n), s.dtype)
    for i in range(n):
        out[..., i, :] = products_without(np.where(np.arange(n) == i, 1, s))
        out[..., i, i] = 0
    return out


def cofactor_push(e: Value, a: Value) -> Value:
    """How the cofactors of ``a`` change along ``e``: symmetric, and exact where ``a`` is singular.

    >>> cofactor_push(np.eye(2), np.zeros((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    u, s, vh, phase = rotations(a)
    inner, p = herm(u) @ e @ herm(vh), pairs_without(s)
    diagonal = np.sum(p * np.diagonal(inner, axis1=-2, axis2=-1)[..., None, :], axis=-1)
    core = diagonal[..., None] * np.eye(s.shape[-1], dtype=s.dtype) - p * mT(inner)
    return phase * (np.conj(u) @ core @ np.conj(vh))


def turn(t: Value, phase: Value) -> Value:
    """How a phase changes when its logarithm changes by ``t``: not at all if it is real."""
    if np.iscomplexobj(phase):
        return 1j * np.imag(t) * phase
    return np.zeros_like(np.real(t)) * phase


def turn_pull(c: Value, phase: Value) -> Value:
    """The transpose of `turn`."""
    if np.iscomplexobj(phase):
        return 1j * np.imag(c * np.conj(phase))
    return np.zeros_like(np.real(c)) * phase


# The triangular factor of a QR decomposition


def over(x: Value, r: Value) -> Value:
    """``x @ inv(r)``, ``r`` being triangular.

    >>> over(np.eye(2), 2 * np.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    return mT(np.linalg.solve(mT(r), mT(x)))


def leading(x: Value, like: Value) -> Value:
    """The first columns of ``x``, as many as ``like`` has rows: the square part of a wide factor.

    >>> leading(np.array([[1.0, 2.0, 3.0]]), np.zeros((2, 3))).tolist()
    [[1.0, 2.0]]
    """
    return x[..., : np.shape(like)[-2]]


def economic(q: Value, r: Value, mode: str = "reduced") -> Value:
    """The first factor ``q`` of ``r``, which must have no more columns than matter."""
    if mode == "raw" or q.shape[-1] > min(q.shape[-2], r.shape[-1]):
        raise UnsupportedOperation(
            f"np.linalg.qr: mode={mode!r} gives what has no derivative"
            + (", the columns that only complete a basis" if mode == "complete" else ""),
            fix='use mode="reduced" or mode="r"',
        )
    return q


def qr_r(a: Value, mode: Any) -> Value:
    """``np.linalg.qr(a, mode="r")``: the triangular factor alone."""
    return np.linalg.qr(a, mode=mode)
