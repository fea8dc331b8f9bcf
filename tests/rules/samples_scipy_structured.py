"""Calls of ``scipy.linalg``: matrices made of vectors and bands, and systems with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from retrograd.runtime.helpers.scipy import structured as rt

from .sample import A, Sample
from .samples_algebra import on

__all__ = ["NOT_HOLOMORPHIC", "SAMPLES"]


def heavy(x: Any) -> Any:
    """A first column that outweighs the others."""
    return x / 8 + 2 * (np.arange(x.shape[-1]) == 0).astype(x.dtype)


def bands(x: Any) -> Any:
    """Bands of a matrix with a heavy main diagonal, the second row."""
    return x / 4 + 2 * (np.arange(x.shape[0]) == 1).astype(x.dtype)[:, None]


def half(x: Any) -> Any:
    """The lower bands of a positive definite matrix."""
    first = (np.arange(x.shape[0]) == 0)[:, None]
    return np.where(first, 2 + np.abs(x), x / 8).astype(x.dtype)


def upper_half(x: Any) -> Any:
    return half(x)[::-1].copy()


def pair(c: Any, r: Any) -> tuple[Any, Any]:
    return (c, r)


V, W, M = A((3,)), A((4,)), A((4, 2))
C = A((4,), heavy)
BANDS, HALF, UPPER = A((3, 4), bands), A((2, 4), half), A((2, 4), upper_half)
NOT_HOLOMORPHIC = {
    linalg.toeplitz, linalg.matmul_toeplitz, linalg.solve_toeplitz, linalg.solveh_banded,
    linalg.cholesky_banded, linalg.cho_solve_banded, linalg.solve_circulant,
}  # fmt: skip
SAMPLES: dict[Any, list[Sample]] = {
    linalg.block_diag: [on(A((2, 3)), A((3, 2))), on(V, A((1, 1)), A((2, 2)))],
    rt.block_diagonal: [on([A((2, 3)), A((3, 2))])],
    rt.blocks_of: [on(A((3, 3)), [A((1, 2)), A((2, 1))])],
    linalg.toeplitz: [on(V), on(V, W)],
    linalg.hankel: [on(V), on(V, W)],
    linalg.circulant: [on(W)],
    rt.structured: [on(V, linalg.toeplitz, V, None, 0), on(W, linalg.hankel, V, W, 1)],
    rt.structured_pull: [
        on(A((3, 3)), linalg.toeplitz, V, None, 0),
        on(A((3, 4)), linalg.hankel, V, W, 1),
    ],
    linalg.companion: [on(C), on(A((2, 4), heavy))],
    rt.top_row: [on(V, A((3, 3)))],
    linalg.khatri_rao: [on(A((2, 3)), A((4, 3)))],
    linalg.matmul_toeplitz: [on(W, W), on((W, V), V), on((W, W), M), on(W, M)],
    rt.toeplitz_herm: [on(W, W), on((W, V), W), on((W, V), M)],
    rt.toeplitz_pull: [on(W, W, W), on(W, V, (W, V)), on(M, A((3, 2)), (W, V))],
    linalg.solve_toeplitz: [on(C, W), on((C, W), W), on((C, W), M)],
    linalg.solve_circulant: [on(C, W), on(C, M)],
    rt.circulate: [on(W, W), on(W, M)],
    rt.circle_pull: [on(W, W), on(M, M)],
    rt.reversed_circle: [on(W)],
    linalg.solve_banded: [
        on((1, 1), BANDS, W),
        on((1, 1), BANDS, M),
        on((2, 0), A((3, 4), half), W),
    ],
    rt.band_apply: [on((1, 1), BANDS, W), on((0, 2), BANDS, M)],
    rt.band_outer: [on((1, 1), W, W, BANDS), on((2, 0), M, M, BANDS)],
    rt.band_herm: [on((1, 1), BANDS), on((2, 0), BANDS)],
    linalg.solveh_banded: [on(HALF, W, lower=True), on(UPPER, M)],
    rt.whole_band: [on(HALF, True), on(UPPER, False)],
    rt.half_band: [on(A((3, 4)), True), on(A((3, 4)), False)],
    linalg.cholesky_banded: [on(HALF, lower=True), on(UPPER)],
    rt.both_halves: [on(A((3, 3)))],
    rt.both_halves_pull: [on(A((3, 3)))],
    rt.beyond_band: [on(A((3, 4)), True), on(A((3, 4)), False)],
    rt.dense_band: [on(HALF, True), on(UPPER, False)],
    rt.narrow_band: [on(A((4, 4)), HALF, True), on(A((4, 4)), UPPER, False)],
    linalg.cho_solve_banded: [on((HALF, True), W), on((UPPER, False), M)],
}
