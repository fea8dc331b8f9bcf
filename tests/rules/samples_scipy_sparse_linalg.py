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

DENSE = np.array([[4.0, 1, 0], [2, 3, 0.5], [0, 0.5, 5]])
CSR, CSC = sparse.csr_matrix(DENSE), sparse.csc_matrix(DENSE)
V, M = A((3,)), A((3, 2))
D, W = A((3, 3), definite), A((3, 3), well)
CLOSE = {"rtol": 1e-13}
NOT_HOLOMORPHIC = {linalg.cg, linalg.gmres, linalg.bicgstab, linalg.bicg, linalg.spsolve}
SAMPLES: dict[Any, list[Sample]] = {
    rt.sparse_adjoint: [on(A((2, 3)))],
    rt.krylov_solve: [Sample((linalg.cg, D, V, 1e-13, 0.0, None))],
    linalg.spsolve: [Sample((CSC, V)), Sample((CSC, M))],
    linalg.cg: [Sample((D, V), CLOSE)],
    linalg.gmres: [Sample((W, V), CLOSE)],
    linalg.bicgstab: [Sample((W, V), CLOSE)],
    linalg.bicg: [Sample((W, V), CLOSE)],
    linalg.expm_multiply: [on(A((3, 3), small), V), on(A((3, 3), small), M)],
}
