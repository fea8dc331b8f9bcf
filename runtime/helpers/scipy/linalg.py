"""The helpers of ``scipy.linalg``: triangles and factors of every form, Fréchet derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from ...errors import UnsupportedOperation
from ..linalg.factorisations import herm
from ..shaping import mT

__all__ = [
    "complexed",
    "corner",
    "diagonal_blocks",
    "factor_matrix",
    "factor_pull",
    "frechet",
    "frechet_power",
    "lu_flip",
    "lu_turn",
    "matrix_log",
    "mirrored",
    "numpy_mode",
    "of_kind",
    "other_triangle",
    "permuted",
    "polar_inverse",
    "resquared",
    "schur_form",
    "schur_lower",
    "skew",
    "squared",
    "swapped",
    "transposed_if",
    "triangle",
    "triangle_of",
    "triangle_pull",
    "unsquared",
    "whole",
]

Value = Any


# What a solver reads of a matrix


def mirrored(x: Value, assume_a: str | None) -> Value:
    """The part of a differential that ``linalg.solve`` sees: a projection, its own adjoint.

    >>> mirrored(np.array([[1.0, 2.0], [4.0, 3.0]]), "sym").tolist()
    [[1.0, 3.0], [3.0, 3.0]]
    """
    kind = LONG.get(str(assume_a), assume_a)
    if kind in ("pos", "her"):
        return (x + herm(x)) / 2
    if kind == "sym":
        return (x + mT(x)) / 2
    return PARTS[kind](x) if kind in PARTS else x


def whole(a: Value, assume_a: str | None, lower: bool) -> Value:
    """The matrix that ``linalg.solve`` solves with, of which it may read one triangle only.

    >>> whole(np.array([[1.0, 2.0], [9.0, 3.0]]), "sym", False).tolist()
    [[1.0, 2.0], [2.0, 3.0]]
    """
    kind = LONG.get(str(assume_a), assume_a)
    if kind not in ("pos", "her", "sym"):
        return mirrored(a, kind)
    half = np.tril(a, -1) if lower else np.triu(a, 1)
    other = mT(half) if kind == "sym" else herm(half)
    return half + other + np.eye(a.shape[-1], dtype=a.dtype) * a


def transposed_if(x: Value, when: bool) -> Value:
    """``x`` or its transpose."""
    return mT(x) if when else x


LONG = {"positive definite": "pos", "symmetric": "sym", "hermitian": "her"}
PARTS: dict[str | None, Callable[[Value], Value]] = {
    "upper triangular": np.triu,
    "lower triangular": np.tril,
    "diagonal": lambda x: np.triu(np.tril(x)),
    "tridiagonal": lambda x: np.triu(np.tril(x, 1), -1),
}


def is_transposed(trans: Any) -> bool:
    return trans in (1, 2, "T", "C")


def triangle_of(x: Value, trans: Any, lower: bool, unit_diagonal: bool) -> Value:
    """The triangle of ``x`` that ``linalg.solve_triangular`` reads, turned as it is used.

    >>> triangle_of(np.array([[1.0, 2.0], [3.0, 4.0]]), "T", True, True).tolist()
    [[0.0, 3.0], [0.0, 0.0]]
    """
    k = int(bool(unit_diagonal))
    part = np.tril(x, -k) if lower else np.triu(x, k)
    part = mT(part) if is_transposed(trans) else part
    return np.conj(part) if trans in (2, "C") else part


def triangle_pull(c: Value, trans: Any, lower: bool, unit_diagonal: bool) -> Value:
    """The transpose of `triangle_of`."""
    c = np.conj(c) if trans in (2, "C") else c
    c = mT(c) if is_transposed(trans) else c
    k = int(bool(unit_diagonal))
    return np.tril(c, -k) if lower else np.triu(c, k)


def factor_matrix(x: Value, lower: bool) -> Value:
    """The lower factor in what ``linalg.cho_factor`` returns, beside entries that mean nothing.

    >>> factor_matrix(np.array([[1.0, 2.0], [9.0, 4.0]]), False).tolist()
    [[1.0, 0.0], [2.0, 4.0]]
    """
    return np.tril(x) if np.all(lower) else herm(np.triu(x))  # a stack has a flag for each matrix


def factor_pull(c: Value, lower: bool) -> Value:
    """The transpose of `factor_matrix`."""
    return np.tril(c) if np.all(lower) else np.triu(herm(c))


def other_triangle(x: Value, lower: bool) -> Value:
    """The triangle `factor_matrix` leaves out: there ``linalg.cho_factor`` returns the entries of its argument."""
    return np.triu(x, 1) if lower else np.tril(x, -1)


def lu_turn(x: Value, trans: int) -> Value:
    """``x``, its transpose or its adjoint, for ``trans`` 0, 1, 2."""
    x = mT(x) if trans else x
    return np.conj(x) if trans == 2 else x


def numpy_mode(mode: str) -> str:
    """The mode of a QR decomposition as NumPy says it."""
    return {"full": "complete", "economic": "reduced"}[mode]


def complexed(x: Value) -> Value:
    """``x`` as complex numbers."""
    return x.astype(np.result_type(x, np.complex64))


def of_kind(x: Value, like: Value) -> Value:
    """``x``, its real part if ``like`` is real: SciPy's eigenvalues are complex, its vectors need not be."""
    return x if np.iscomplexobj(like) else np.real(x)


def skew(x: Value) -> Value:
    """``x`` less its adjoint."""
    return x - herm(x)


def lu_flip(trans: int, like: Value) -> int:
    """The other way to apply an LU decomposition; its adjoint, between conjugates."""
    if trans == 2 and np.iscomplexobj(like):
        raise UnsupportedOperation("linalg.lu_solve: no derivative for trans=2; conjugate, trans=1")
    return 0 if trans else 1


# Permutations, which are constant


def swapped(x: Value, piv: Value, back: bool = False) -> Value:
    """The rows of ``x`` after the interchanges ``piv`` of ``linalg.lu_factor``, last one first.

    >>> swapped(np.array([[1.0], [2.0]]), np.array([1, 1])).tolist()
    [[2.0], [1.0]]
    """
    if np.ndim(piv) > 1:
        raise UnsupportedOperation("linalg.lu_factor: no derivative for stacks of matrices")
    order = np.arange(x.shape[-2])
    for i, k in enumerate(piv):
        order[[i, k]] = order[[k, i]]
    return x[..., np.argsort(order) if back else order, :]


def permuted(x: Value, p: Value, back: bool = False) -> Value:
    """``p.T @ x`` for the permutation of ``linalg.lu``, a matrix or a vector of indices."""
    if np.ndim(p) >= 2:
        p = p.astype(x.dtype)
        return p @ x if back else mT(p) @ x
    return x[..., p, :] if back else x[..., np.argsort(p), :]


# LU and QR of matrices that are not square


def squared(x: Value, fill: float, like: Value) -> Value:
    """``x`` in a square matrix that holds ``like``, with ``fill`` on what it adds to the diagonal.

    >>> squared(np.ones((2, 1)), 1.0, np.ones((2, 1))).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    (m, n), k = x.shape[-2:], max(like.shape[-2:])
    out = np.zeros((*x.shape[:-2], k, k), x.dtype)
    out[..., :m, :n] = x
    added = np.arange(min(m, n), k)
    out[..., added, added] = fill
    return out


def unsquared(c: Value, like: Value) -> Value:
    """The part of ``c`` that has the shape of ``like``."""
    return c[..., : like.shape[-2], : like.shape[-1]]


def resquared(c: Value, like: Value) -> Value:
    """``c`` among zeros in the shape of ``like``."""
    out = np.zeros((*c.shape[:-2], *like.shape[-2:]), c.dtype)
    out[..., : c.shape[-2], : c.shape[-1]] = c
    return out


def polar_inverse(p: Value, u: Value) -> Value:
    """The inverse of the positive factor, which has one if the matrix has full rank."""
    if u.shape[-2] < u.shape[-1]:
        raise UnsupportedOperation(
            "linalg.polar: no derivative where the positive factor is singular"
        )
    return np.linalg.inv(p)


# Functions of matrices: f([[a, e], [0, a]]) holds f(a) and how it changes along e


def frechet(f: Callable[..., Value], a: Value, e: Value) -> Value:
    """How ``f(a)`` changes along ``e``.

    >>> frechet(linalg.expm, np.zeros((2, 2)), np.ones((2, 2))).round(12).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    if f in (linalg.sqrtm, linalg.logm):
        check_beside_cut(a)
    if np.iscomplexobj(e) and not np.iscomplexobj(a):  # real blocks: one side of a cut
        return frechet(f, a, e.real) + 1j * frechet(f, a, e.imag)
    size = np.max(np.abs(e), initial=0.0)
    if size == 0:
        return np.zeros_like(e)
    scale = size / (np.max(np.abs(a), initial=0.0) or 1.0)
    moved = in_double(f, triangle(a, e / scale))
    return corner(moved) * scale.astype(moved.real.dtype)


def frechet_power(a: Value, e: Value, t: float) -> Value:
    """How ``linalg.fractional_matrix_power(a, t)`` changes along ``e``."""
    if t != np.round(t):
        check_beside_cut(a)
    return frechet(lambda x: linalg.fractional_matrix_power(x, t), a, e)


def check_beside_cut(a: Value) -> None:
    """On the cut of a root or a logarithm, rounding would choose the side for a complex matrix."""
    if not np.iscomplexobj(a):
        return
    w = np.linalg.eigvals(a)
    if np.any((w.real < 0) & (np.abs(w.imag) < np.sqrt(np.finfo(w.real.dtype).eps) * np.abs(w))):
        raise UnsupportedOperation(
            "no derivative of a matrix root, power or logarithm where a complex matrix has a negative eigenvalue"
        )


def in_double(f: Callable[..., Value], x: Value) -> Value:
    """``f(x)`` computed in double precision, and of the precision of ``x``."""
    if x.dtype not in (np.float32, np.complex64):
        return f(x)
    z = f(x.astype(np.result_type(x, np.float64)))
    return z.astype(np.complex64 if np.iscomplexobj(z) else np.float32)


def matrix_log(a: Value) -> Value:
    """``linalg.logm`` in double precision."""
    check_beside_cut(a)
    return in_double(linalg.logm, a)


def triangle(a: Value, e: Value) -> Value:
    """``[[a, e], [0, a]]``."""
    a, e = np.broadcast_arrays(a, e)
    return np.concatenate(
        [np.concatenate([a, e], -1), np.concatenate([np.zeros_like(a), a], -1)], -2
    )


def corner(x: Value) -> Value:
    """The upper right of four blocks."""
    n = x.shape[-1] // 2
    return x[..., :n, n:]


def diagonal_blocks(x: Value) -> Value:
    """The sum of the upper left and the lower right of four blocks."""
    n = x.shape[-1] // 2
    return x[..., :n, :n] + x[..., n:, n:]


def schur_form(t: Value) -> Value:
    """``t``, which must be a triangle."""
    if np.ndim(t) != 2 or np.any(np.tril(t, -1)):
        raise UnsupportedOperation(
            "linalg.schur: no derivative for complex pairs in a real form; pass output='complex'"
        )
    return t


def schur_lower(t: Value, m: Value, adjoint: bool = False) -> Value:
    """The strictly lower ``x`` with ``tril(t @ x - x @ t, -1) = tril(m, -1)``, or the adjoint of this.

    >>> schur_lower(np.diag([1.0, 3.0]), np.array([[0.0, 0.0], [4.0, 0.0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0]]
    """
    n, t = t.shape[-1], np.triu(t)
    x = np.zeros(m.shape, np.result_type(t, m))
    if adjoint:
        return schur_lower_adjoint(herm(t), m, x)
    for j in range(n - 1):
        rest = m[j + 1 :, j] + x[j + 1 :, :j] @ t[:j, j]
        inner = t[j + 1 :, j + 1 :] - t[j, j] * np.eye(n - j - 1)
        x[j + 1 :, j] = np.linalg.solve(inner, rest)
    return x


def schur_lower_adjoint(th: Value, m: Value, x: Value) -> Value:
    n = th.shape[-1]
    for j in range(n - 2, -1, -1):
        rest = m[j + 1 :, j] + x[j + 1 :, j + 1 :] @ th[j + 1 :, j]
        inner = th[j + 1 :, j + 1 :] - th[j, j] * np.eye(n - j - 1)
        x[j + 1 :, j] = np.linalg.solve(inner, rest)
    return x
