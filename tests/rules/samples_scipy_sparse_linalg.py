"""Calls of the functions of ``scipy.sparse.linalg``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from retrograd.runtime.helpers.scipy import sparse as rt

from .sample import A, Sample
from .samples_algebra import definite, on, well
from .samples_scipy_matrices import small

__all__ = ["NOT_HOLOMORPHIC", "SAMPLES"]


def dominant(x: Any) -> Any:
    """Entries of which the first three, the diagonal, are large."""
    return x + np.array([4.0, 4.0, 4.0, 0.0, 0.0, 0.0])


DENSE = np.array([[4.0, 1, 0], [2, 3, 0.5], [0, 0.5, 5]])
CSR, CSC = sparse.csr_matrix(DENSE), sparse.csc_matrix(DENSE)
V, M = A((3,)), A((3, 2))
ROW, COL = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])  # the diagonal, and beside it
D, W = A((3, 3), definite), A((3, 3), well)
CLOSE = {"rtol": 1e-13}
NOT_HOLOMORPHIC = {linalg.cg, linalg.gmres, linalg.bicgstab, linalg.bicg, linalg.spsolve}
SAMPLES: dict[Any, list[Sample]] = {
    rt.sparse_adjoint: [on(A((2, 3)))],
    rt.krylov_solve: [Sample((linalg.cg, D, V, 1e-13, 0.0, None))],
    rt.times_entries: [on(A((6,)), ROW, COL, 3, V), on(A((6,)), ROW, COL, 3, M)],
    rt.solve_entries: [
        on(A((6,), dominant), ROW, COL, 3, V),
        on(A((6,), dominant), ROW, COL, 3, M),
    ],
    linalg.spsolve: [Sample((CSC, V)), Sample((CSC, M))],
    linalg.cg: [Sample((D, V), CLOSE)],
    linalg.gmres: [Sample((W, V), CLOSE)],
    linalg.bicgstab: [Sample((W, V), CLOSE)],
    linalg.bicg: [Sample((W, V), CLOSE)],
    linalg.expm_multiply: [on(A((3, 3), small), V), on(A((3, 3), small), M)],
}
