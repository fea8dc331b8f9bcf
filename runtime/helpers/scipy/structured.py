"""The helpers of matrices that are made of less: Toeplitz, circulant, Hankel, banded, block diagonal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from ...errors import UnsupportedOperation
from ..core import cast, sum_to

__all__ = [
    "band_apply",
    "band_herm",
    "band_outer",
    "beyond_band",
    "block_diagonal",
    "blocks_of",
    "both_halves",
    "both_halves_pull",
    "circle_pull",
    "circulate",
    "dense_band",
    "half_band",
    "khatri_rao_blocks",
    "narrow_band",
    "reversed_circle",
    "rows_of_toeplitz",
    "structured",
    "structured_pull",
    "swap_bands",
    "toeplitz_herm",
    "toeplitz_pull",
    "top_row",
    "whole_band",
]

Value = Any


def refuse_stacks(kind: str, rank: int, *arrays: Value) -> None:
    """SciPy takes stacks of all matrices; the derivatives of these are of one matrix."""
    if any(np.ndim(x) > rank for x in arrays):
        raise UnsupportedOperation(
            f"scipy.linalg: no derivative for stacks of {kind} matrices, or of what they are multiplied with",
            fix="take one matrix after the other, in a loop",
        )


def block_diagonal(blocks: Any) -> Value:
    """``linalg.block_diag`` of a list."""
    return linalg.block_diag(*blocks)


def blocks_of(c: Value, blocks: Any) -> list[Value]:
    """The blocks of ``c`` that have the places and shapes of ``blocks``.

    >>> [b.tolist() for b in blocks_of(np.arange(4.0).reshape(2, 2), [1.0, np.ones(1)])]
    [0.0, [3.0]]

    Of stacks of matrices the blocks are stacks, too: what is in one of them only is summed.
    """
    found, at = [], (0, 0)
    for block in blocks:
        shape = np.atleast_2d(block).shape
        ends = at[0] + shape[-2], at[1] + shape[-1]
        part = sum_to(c[..., at[0] : ends[0], at[1] : ends[1]], shape)
        found.append(cast(part.reshape(np.shape(block))[()], block))
        at = ends
    return found


def khatri_rao_blocks(a: Value, b: Value) -> tuple[int, ...]:
    """The shape of a Khatri-Rao product, or a stack of them, with an axis for the rows of each factor.

    >>> khatri_rao_blocks(np.ones((2, 5)), np.ones((4, 3, 5)))
    (4, 2, 3, 5)
    """
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return *stack, a.shape[-2], b.shape[-2], a.shape[-1]


# Matrices whose entries are those of a vector or two: `make` is linalg.toeplitz, circulant or hankel


def structured(x: Value, make: Callable[..., Value], c: Value, r: Value, part: int) -> Value:
    """``make(c, r)`` as it depends on one of the two, ``x`` in its place and zeros for the other.

    >>> structured(np.array([5.0, 6.0]), linalg.toeplitz, np.ones(2), np.ones(2), 1).tolist()
    [[0.0, 6.0], [0.0, 0.0]]
    """
    if r is None:
        return make(x)
    return make(x, np.zeros_like(r)) if part == 0 else make(np.zeros_like(c), x)


def structured_pull(
    c_bar: Value, make: Callable[..., Value], c: Value, r: Value, part: int
) -> Value:
    """The transpose of `structured`: the entries of ``c_bar`` summed by where they come from."""
    like = r if part else c
    n = np.shape(like)[-1] if np.ndim(like) else 1  # a number is a row of one entry
    if np.ndim(like) > 1:
        raise UnsupportedOperation(f"linalg.{make.__name__}: no derivative for stacks of vectors")
    labels = structured(1j * np.arange(1, n + 1), make, c, r, part).imag.astype(int)
    turned: Value = np.where(labels < 0, np.conj(c_bar), c_bar)
    out = np.zeros(n + 1, turned.dtype)
    np.add.at(out, np.abs(labels), turned)
    return cast(out[1:].reshape(np.shape(like)), like)


def top_row(x: Value, like: Value) -> Value:
    """``x`` as the first row of a matrix like ``like``, zero elsewhere."""
    out = np.zeros(like.shape, x.dtype)
    out[..., 0, :] = x
    return out


# Products with Toeplitz matrices, given as a column or as a pair of a column and a row


def column_and_row(c_or_cr: Value) -> tuple[Value, Value]:
    refuse_stacks("Toeplitz", 1, *(c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr,)))
    if isinstance(c_or_cr, tuple):
        return np.asarray(c_or_cr[0]), np.asarray(c_or_cr[1])
    return np.asarray(c_or_cr), np.conj(c_or_cr)


def toeplitz_herm(c_or_cr: Value, y: Value) -> Value:
    """The adjoint of the Toeplitz matrix times ``y``.

    >>> toeplitz_herm((np.array([1.0, 2.0]), np.array([1.0, 3.0])), np.array([1.0, 0.0]))
    array([1., 3.])
    """
    c, r = column_and_row(c_or_cr)
    first = np.conj(np.concatenate([c[:1], r[1:]]))
    return linalg.matmul_toeplitz((first, np.conj(c)), y)


def toeplitz_pull(c: Value, x: Value, like: Value) -> Value:
    """The cotangent of the column (and the row) of a Toeplitz matrix from its product with ``x``."""
    column, row = column_and_row(like)
    refuse_stacks("Toeplitz", 2, c, x)
    c, x = (np.reshape(v, (np.shape(v)[0], -1)) for v in (c, x))
    m, n = len(column), len(row)
    size = m + n - 1
    spectrum = np.fft.fft(c, size, axis=0) * np.conj(np.fft.fft(x, size, axis=0))
    lags = np.fft.ifft(spectrum, axis=0).sum(axis=1)  # lags[k] = sum of c[i + k] * conj(x[i])
    down, right = lags[:m], np.concatenate([[0], lags[:-n:-1]])
    if isinstance(like, tuple):
        return cast(down, column), cast(right, row)
    return cast(down + np.conj(right), column)


def circulate(c: Value, x: Value) -> Value:
    """``linalg.circulant(c) @ x``.

    >>> circulate(np.array([0.0, 1.0, 0.0]), np.array([5.0, 6.0, 7.0])).round(12)
    array([7., 5., 6.])
    """
    refuse_stacks("circulant", 1, c)
    f = np.fft.fft(c).reshape(-1, *[1] * (np.ndim(x) - 1))
    z = np.fft.ifft(f * np.fft.fft(x, axis=0), axis=0)
    dtype = np.result_type(c, x)
    return (z if dtype.kind == "c" else z.real).astype(dtype)


def circle_pull(c: Value, x: Value) -> Value:
    """The cotangent of ``c`` in `circulate`, summed over the columns."""
    shifted = np.fft.fft(c, axis=0) * np.conj(np.fft.fft(x, axis=0))
    z = np.fft.ifft(shifted, axis=0).reshape(len(c), -1).sum(axis=1)
    dtype = np.result_type(c, x)
    return (z if dtype.kind == "c" else z.real).astype(dtype)


def reversed_circle(c: Value) -> Value:
    """The first column of the transpose of a circulant matrix."""
    return np.roll(np.flip(c, 0), 1, 0)


def rows_of_toeplitz(c_or_cr: Value) -> int:
    """The axis along which a system with a Toeplitz matrix has its rows.

    >>> rows_of_toeplitz(np.ones(3))
    0
    """
    column_and_row(c_or_cr)
    return 0


# Band matrices in the form of LAPACK: `ab[u + i - j, j] = a[i, j]`


def swap_bands(l_and_u: Any) -> tuple[int, int]:
    """The numbers of bands below and above, of the transpose."""
    return int(l_and_u[1]), int(l_and_u[0])


def band_apply(l_and_u: Any, ab: Value, x: Value) -> Value:
    """The band matrix ``ab`` times ``x``.

    >>> band_apply((0, 1), np.array([[0.0, 5.0], [1.0, 2.0]]), np.array([1.0, 1.0]))
    array([6., 2.])
    """
    _, u = l_and_u
    refuse_stacks("band", 2, ab, x)
    n = ab.shape[-1]
    out = np.zeros(np.shape(x), np.result_type(ab, x))
    for k in range(len(ab)):
        i, j = rows_and_columns(k - u, n)
        out[i] += (ab[k, j] * x[j].T).T
    return out


def rows_and_columns(below: int, n: int) -> tuple[slice, slice]:
    """The rows and columns of the diagonal that lies ``below`` the main one."""
    length = n - abs(below)
    i, j = max(below, 0), max(-below, 0)
    return slice(i, i + length), slice(j, j + length)


def band_outer(l_and_u: Any, c: Value, x: Value, like: Value) -> Value:
    """The bands of ``c`` times ``x.T``: the cotangent of ``ab`` in `band_apply`."""
    _, u = l_and_u
    refuse_stacks("band", 2, c, x, like)
    n = like.shape[-1]
    out = np.zeros(like.shape, np.result_type(c, x))
    for k in range(len(like)):
        i, j = rows_and_columns(k - u, n)
        product = c[i] * x[j]
        out[k, j] = product.reshape(len(product), -1).sum(axis=1)
    return cast(out, like)


def band_herm(l_and_u: Any, ab: Value) -> Value:
    """The bands of the adjoint.

    >>> band_herm((0, 1), np.array([[0.0, 5.0], [1.0, 2.0]])).tolist()
    [[1.0, 2.0], [5.0, 0.0]]
    """
    _, u = l_and_u
    refuse_stacks("band", 2, ab)
    n = ab.shape[-1]
    out = np.zeros_like(ab)
    for k in range(len(ab)):
        i, j = rows_and_columns(k - u, n)
        out[len(ab) - 1 - k, i] = np.conj(ab[k, j])
    return out


def whole_band(ab: Value, lower: bool) -> Value:
    """All bands of a Hermitian matrix, of the upper or the lower half of them.

    >>> whole_band(np.array([[1.0, 2.0], [5.0, 0.0]]), True).tolist()
    [[0.0, 5.0], [1.0, 2.0], [5.0, 0.0]]
    """
    refuse_stacks("band", 2, ab)
    k = len(ab) - 1
    main = np.real(ab[0] if lower else ab[-1]).astype(ab.dtype)[None]
    if lower:
        return np.concatenate([band_herm((k, 0), ab)[:-1], main, ab[1:]])
    return np.concatenate([ab[:-1], main, band_herm((0, k), ab)[1:]])


def half_band(c: Value, lower: bool) -> Value:
    """The transpose of `whole_band`."""
    k = len(c) // 2
    both = c + band_herm((k, k), c)
    main = np.real(c[k]).astype(c.dtype)[None]
    return np.concatenate([main, both[k + 1 :]] if lower else [both[:k], main])


def dense_band(ab: Value, lower: bool) -> Value:
    """The lower triangular matrix of a factor in band form (of the adjoint of an upper one).

    >>> dense_band(np.array([[1.0, 2.0], [5.0, 0.0]]), True).tolist()
    [[1.0, 0.0], [5.0, 2.0]]
    """
    refuse_stacks("band", 2, ab)
    n = ab.shape[-1]
    ab = ab if lower else band_herm((0, len(ab) - 1), ab)
    out = np.zeros((n, n), ab.dtype)
    for k in range(len(ab)):
        out[np.arange(k, n), np.arange(n - k)] = ab[k, : n - k]
    return out


def beyond_band(x: Value, lower: bool) -> Value:
    """The entries outside the matrix, which ``linalg.cholesky_banded`` hands through.

    >>> beyond_band(np.ones((2, 3)), True).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    k, j = np.indices(x.shape)
    outside = j + k >= x.shape[1] if lower else j + k < len(x) - 1
    return np.where(outside, x, 0)


def both_halves(x: Value) -> Value:
    """The Hermitian matrix with this lower triangle."""
    low = np.tril(x, -1)
    return low + np.conj(low.T) + np.diag(np.real(np.diagonal(x))).astype(x.dtype)


def both_halves_pull(c: Value) -> Value:
    """The transpose of `both_halves`."""
    return np.tril(c + np.conj(c.T), -1) + np.diag(np.real(np.diagonal(c))).astype(c.dtype)


def narrow_band(c: Value, like: Value, lower: bool) -> Value:
    """The transpose of `dense_band`: the bands of ``c`` in the form of ``like``."""
    n = like.shape[-1]
    out = np.zeros(like.shape, c.dtype)
    for k in range(len(like)):
        out[k, : n - k] = np.diagonal(c, -k)
    return out if lower else band_herm((len(like) - 1, 0), out)
