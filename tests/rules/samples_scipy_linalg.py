"""Calls of ``scipy.linalg``: systems, inverses, factorisations; and of its other rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from retrograd.runtime.helpers.scipy import linalg as rt

from . import samples_scipy_matrices, samples_scipy_structured
from .sample import A, Sample
from .samples_algebra import definite, on, symmetric, well

__all__ = ["GAUGE", "NOT_HOLOMORPHIC", "SAMPLES"]


def steep(x: Any) -> Any:
    """A matrix whose pivots are where they are, well apart."""
    return x / 4 + 2 * np.eye(*x.shape[-2:], dtype=x.dtype)


def turned(x: Any) -> Any:
    """The same with its rows turned round."""
    return steep(x)[..., ::-1, :].copy()


def lower(x: Any) -> Any:
    return np.tril(well(x))


V, M, W = A((3,)), A((3, 2)), A((3, 3), well)
S, D, L = A((3, 3), symmetric), A((3, 3), definite), A((3, 3), lower)
PIV = np.array([2, 2, 2])
PERM = np.array([2, 0, 1])
GAUGE = samples_scipy_matrices.GAUGE
NOT_HOLOMORPHIC = {
    linalg.solve, linalg.pinv, linalg.cholesky, linalg.cho_factor, linalg.cho_solve, linalg.qr, linalg.polar,
    linalg.lstsq, linalg.norm, linalg.lu_solve, linalg.solve_triangular,
    *samples_scipy_matrices.NOT_HOLOMORPHIC, *samples_scipy_structured.NOT_HOLOMORPHIC,
}  # fmt: skip
SAMPLES: dict[Any, list[Sample]] = {
    linalg.norm: [on(V), on(M), on(M, 2, 0), on(M, axis=1, keepdims=True), on(V, 1)],
    linalg.solve: [
        on(W, V),
        on(W, M),
        on(D, V, assume_a="pos"),
        on(D, M, True, assume_a="her"),
        on(L, V, assume_a="lower triangular"),
        on(A((2, 3, 3), well), A((2, 3, 2))),
        on(A((2, 3, 3), well), V),
        Sample((S, V), {"assume_a": "sym"}),
        Sample((W, V), {"transposed": True}),
    ],
    rt.whole: [on(D, "pos", True), on(W, None, False), Sample((S, "sym", False))],
    rt.mirrored: [on(W, "pos"), on(W, "sym"), on(W, "tridiagonal"), on(W, None)],
    rt.transposed_if: [on(M, True), on(M, False)],
    linalg.solve_triangular: [
        on(L, V, lower=True),
        on(L, M, "T", True),
        on(L, V, 2, True, True),
        on(A((3, 3), well), V),
        on(A((2, 3, 3), well), A((2, 3, 1)), trans="C"),
    ],
    rt.triangle_of: [
        on(W, t, low, unit) for t in (0, "T", 2) for low, unit in ((True, False), (False, True))
    ],
    rt.triangle_pull: [
        on(W, t, low, unit) for t in (0, "T", 2) for low, unit in ((True, False), (False, True))
    ],
    linalg.inv: [on(W), on(A((2, 3, 3), well))],
    linalg.det: [on(W), on(A((2, 3, 3))), on(A((1, 1)))],
    linalg.pinv: [on(W), on(A((4, 2), well)), on(A((2, 3), well))],
    linalg.cholesky: [on(D), on(D, lower=True), on(A((2, 3, 3), definite))],
    linalg.cho_factor: [on(D, lower=True), on(D)],
    linalg.cho_solve: [on((L, True), V), on((A((3, 3), well), False), M)],
    rt.factor_matrix: [on(W, True), on(W, False)],
    rt.other_triangle: [on(W, True), on(W, False)],
    rt.factor_pull: [on(W, True), on(W, False)],
    linalg.lu: [on(A(s, m)) for s in ((3, 3), (4, 2), (2, 3)) for m in (steep, turned)]
    + [on(A((3, 3), turned), p_indices=True), on(A((2, 3, 3), turned))],
    rt.permuted: [on(M, PERM), on(M, np.eye(3)[PERM]), on(M, PERM, True)],
    rt.squared: [on(M, 0.0, M), on(A((2, 2)), 1.0, M)],
    rt.unsquared: [on(W, M)],
    rt.resquared: [on(M, W)],
    linalg.lu_factor: [on(A((3, 3), steep)), on(A((3, 3), turned))],
    rt.swapped: [on(M, PIV), on(M, PIV, True)],
    linalg.lu_solve: [on((W, PIV), V), on((W, PIV), M, 1), Sample(((W, PIV), V, 2))],
    rt.lu_turn: [on(M, t) for t in (0, 1, 2)],
    linalg.qr: [
        on(W),
        *[on(A(s, well), mode="economic") for s in ((4, 2), (2, 3), (3, 3))],
    ],
    linalg.polar: [on(W), on(A((4, 2), well)), on(A((2, 3), well), side="left")],
    rt.polar_inverse: [on(W, W)],
    linalg.lstsq: [
        on(A((4, 2), well), A((4,))),
        on(A((4, 2), well), A((4, 3))),
        on(A((2, 3), well), A((2,))),
    ],
    **samples_scipy_matrices.SAMPLES,
    **samples_scipy_structured.SAMPLES,
}
