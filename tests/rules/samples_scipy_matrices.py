"""Calls of ``scipy.linalg``: eigenvalues, functions of matrices, matrix equations."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from retrograd.runtime.helpers.scipy import linalg as rt

from .sample import A, Sample
from .samples_algebra import definite, on, spread, symmetric, well

__all__ = ["GAUGE", "NOT_HOLOMORPHIC", "SAMPLES"]


def small(x: Any) -> Any:
    """A matrix with eigenvalues apart, far below 1."""
    return spread(x) / 8


def rotated(x: Any) -> Any:
    """Complex eigenvalues apart from one another."""
    n = x.shape[-1]
    turn = np.diag(np.arange(1, n).astype(x.dtype), 1)
    return x / 8 + (turn - turn.T) + np.eye(n, dtype=x.dtype)


def stable(x: Any) -> Any:
    return x / 4 - 3 * np.eye(x.shape[-1], dtype=x.dtype)


def upper(x: Any) -> Any:
    """A triangle with a diagonal that is apart, also where it is an argument's cotangent."""
    return np.triu(spread(x))


def apart(x: Any) -> Any:
    """A Hermitian matrix whose eigenvectors are near the axes, so that none changes its sign."""
    n = x.shape[-1]
    return symmetric(x) / 8 + np.diag(np.arange(2, 2 * n + 2, 2)).astype(x.dtype)


S, D, W = A((3, 3), apart), A((3, 3), definite), A((3, 3), well)
Q = A((3, 3))
SMALL = [on(A((3, 3), small)), on(A((2, 2), small))]
GAUGE = {linalg.eigh, linalg.svd, linalg.eig}
NOT_HOLOMORPHIC = {
    linalg.eigh, linalg.eigvalsh, linalg.eig, linalg.svd, linalg.svdvals, linalg.schur,
    linalg.solve_continuous_lyapunov, linalg.solve_discrete_lyapunov, linalg.solve_continuous_are,
    linalg.solve_discrete_are, linalg.signm, linalg.sinm, linalg.cosm, linalg.tanm, linalg.eigvals,
    linalg.solve_sylvester,
}  # fmt: skip
SAMPLES: dict[Any, list[Sample]] = {
    linalg.eigvalsh: [on(S), on(S, D), on(S, lower=False), on(A((2, 3, 3), apart))],
    linalg.eigh: [  # LAPACK chooses the signs of the vectors
        Sample((S,), complex=True, smooth=False),
        Sample((S, D), complex=True, smooth=False),
        Sample((S,), {"lower": False}, complex=True, smooth=False),
        Sample((A((2, 3, 3), apart),), complex=True, smooth=False),
    ],
    linalg.eigvalsh_tridiagonal: [Sample((A((4,)), A((3,))))],
    linalg.eigh_tridiagonal: [Sample((A((4,)), A((3,))))],
    linalg.svdvals: [on(A((3, 3), spread)), on(A((2, 3), spread)), on(A((3, 2), spread))],
    linalg.svd: [on(A((3, 3), spread)), on(A((2, 3), spread), full_matrices=False)],
    linalg.eigvals: [on(A((3, 3), spread)), on(A((3, 3), rotated)), on(A((2, 3, 3), spread))],
    linalg.eig: [
        on(A((3, 3), spread)),
        on(A((2, 3, 3), spread)),
        Sample((A((3, 3), rotated),), complex=True, order2=False),
    ],
    linalg.schur: [
        Sample((A((3, 3), spread),)),
        Sample((S,)),
        Sample((A((3, 3), rotated), "complex"), smooth=False),
    ],
    rt.schur_form: [Sample((A((3, 3), upper),), smooth=False)],
    rt.schur_lower: [on(A((3, 3), upper), Q), on(A((4, 4), upper), A((4, 4)), True)],
    rt.complexed: [on(Q)],
    rt.of_kind: [on(Q, np.ones((3, 3))), on(Q, np.ones((3, 3), complex))],
    rt.skew: [on(Q)],
    linalg.expm: [*SMALL, on(A((2, 3, 3), small))],
    linalg.logm: [on(A((3, 3), spread)), Sample((D,))],
    linalg.sqrtm: [on(A((3, 3), spread)), Sample((D,))],
    linalg.sinm: SMALL,
    linalg.cosm: SMALL,
    linalg.tanm: SMALL,
    linalg.sinhm: SMALL,
    linalg.coshm: SMALL,
    linalg.tanhm: SMALL,
    linalg.signm: [Sample((A((2, 2), lambda x: x / 4 + np.diag([2.0, -2.0]).astype(x.dtype)),))],
    linalg.fractional_matrix_power: [
        Sample((A((3, 3), spread), A(scalar=True)), low=0.3, high=0.6),
        Sample((D, 0.5)),
    ],
    rt.frechet: [
        on(linalg.expm, A((3, 3), small), Q),
        Sample((linalg.sqrtm, A((2, 2), spread), A((2, 2)))),
    ],
    rt.matrix_log: [on(A((3, 3), spread))],
    rt.frechet_power: [Sample((A((2, 2), spread), A((2, 2)), 0.3))],
    rt.triangle: [on(Q, Q)],
    rt.corner: [on(A((4, 4)))],
    rt.diagonal_blocks: [on(A((4, 4)))],
    linalg.expm_frechet: [on(A((3, 3), small), Q), on(A((2, 2), small), A((2, 2)))],
    linalg.solve_sylvester: [on(W, A((2, 2), well), A((3, 2)))],
    linalg.solve_continuous_lyapunov: [on(A((3, 3), stable), Q)],
    linalg.solve_discrete_lyapunov: [on(A((3, 3), small), Q), on(A((3, 3), small), Q, "bilinear")],
    linalg.solve_continuous_are: [on(W, A((3, 2)), D, A((2, 2), definite))],
    linalg.solve_discrete_are: [on(W, A((3, 2)), D, A((2, 2), definite))],
}
