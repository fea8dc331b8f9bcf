"""Calls of eigenvalues, singular values and norms, for the rule tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample
from .samples_algebra import SPREADS, on, spread, symmetric

__all__ = ["SAMPLES"]


def turning(x: Any) -> Any:
    """A matrix with two complex eigenvalues, apart from the others, if it is real."""
    out = spread(x)
    out[..., 0, 1], out[..., 1, 0] = 3.0, -1.5
    return out


def apart(x: Any) -> Any:
    """A matrix with eigenvalues near 1, 2, 3."""
    n = x.shape[-1]
    return x / 20 + np.diag(np.arange(1.0, n + 1)).astype(x.dtype)


V, M, T = A((3,)), A((2, 3)), A((4, 2, 3))
GENERAL = [*SPREADS, A((3, 3), turning), A((4, 2, 2), turning)]
FACTORS = [A((3, 2), spread), A((2, 3), spread)]
SAMPLES: dict[Any, list[Sample]] = {
    np.linalg.eigvalsh: [on(A((3, 3), symmetric)), on(A((4, 2, 2), symmetric), "U")],
    np.linalg.eigh: [on(A((3, 3), symmetric)), on(A((4, 2, 2), symmetric), "U")],
    np.linalg.eigvals: [on(a) for a in GENERAL],
    np.linalg.eig: [on(a) for a in GENERAL],
    linear.eigenvectors: [
        Sample((A((3, 3), apart), np.array([3.0, 1.0, 2.0]))),
        Sample((A((4, 2, 2), apart), np.array([[2.0, 1.0]] * 4))),
    ],
    linear.steady: [on(A((3, 3)), A((3, 3))), on(A((4, 2, 2)), A((4, 2, 2)))],
    linear.top: [on(A((3, 3)), A((3, 3))), on(A((4, 2, 2)), A((4, 2, 2)))],
    linear.untop: [on(A((1, 3)), A((3, 3)))],
    np.linalg.svdvals: [on(a) for a in [*SPREADS, *FACTORS]],
    np.linalg.svd: [
        *[on(a) for a in SPREADS],
        *[on(a, full_matrices=False) for a in FACTORS],
    ],
    linear.some: [on(A((3, 3)), A((2,)), -1), on(A((3, 3)), A((2,)), -2)],
    linear.gaps: [Sample((A((3,), np.cumsum),), low=0.5, high=1.5)],
    linear.vector_gaps: [Sample((A((3,), np.cumsum),), low=0.5, high=1.5)],
    linear.singular_gaps: [Sample((A((3,), np.cumsum),), low=0.5, high=1.5)],
    linear.reciprocal: [Sample((V,), low=0.5, high=1.5, complex=True)],
    linear.matrices: [on(M), on(T, (0, 1)), on(T, (-1, 0))],
    linear.unmatrices: [on(M), on(T, (0, 1)), on(T, (-1, 0))],
    linear.spectral_norm: [
        *[on(a, ord) for a in FACTORS for ord in (2, -2, "nuc")],
        on(A((3, 3), spread), "nuc", keepdims=True),
        on(A((4, 2, 2), spread), 2, (-2, -1)),
        on(A((2, 2, 4), lambda x: np.moveaxis(spread(np.moveaxis(x, 2, 0)), 0, 2)), "nuc", (1, 0)),
        on(A((4, 2, 2), spread), -2, axis=(1, 2), keepdims=True),
    ],
    linear.spectral_slope: [
        *[on(a, ord) for a in FACTORS for ord in (2, -2, "nuc")],
        on(A((4, 2, 2), spread), "nuc", (2, 1)),
    ],
    linear.spectral_cond: [
        *[on(a) for a in [*SPREADS, *FACTORS]],
        *[on(A((3, 3), spread), p) for p in (None, 2, -2)],
    ],
    np.linalg.cond: [
        *[on(A((3, 3), spread), p) for p in (1, -1, "fro", np.inf, -np.inf)],
        on(A((4, 2, 2), spread), "fro"),
    ],
    np.linalg.vector_norm: [
        on(V),
        on(M),
        on(M, axis=1),
        on(T, axis=(0, 2), keepdims=True),
        on(M, ord=1, axis=0),
        on(M, ord=3),
        on(M, ord=-2),
        on(T, ord=0.5, axis=-1),
        on(M, ord=np.inf),
        on(T, ord=-np.inf, axis=(1, 2)),
        on(M, ord=0),
    ],
    np.linalg.matrix_norm: [
        on(M),
        on(T),
        on(T, keepdims=True),
        *[on(T, ord=ord) for ord in (1, -1, np.inf, -np.inf)],
    ],
}
