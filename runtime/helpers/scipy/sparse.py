"""The helpers of ``scipy.sparse``: adjoints of matrices of any kind, and solutions by iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import ConvergenceError

__all__ = ["krylov_solve", "sparse_adjoint"]

Value = Any


def sparse_adjoint(a: Value) -> Value:
    """The adjoint of a matrix: an array, a sparse one, or a linear operator.

    >>> sparse_adjoint(np.array([[1.0, 2j]])).tolist()
    [[(1-0j)], [-2j]]
    """
    if hasattr(a, "toarray") or isinstance(a, np.ndarray):
        return a.conj().T
    return a.H


def krylov_solve(
    f: Callable[..., Any], a: Value, b: Value, rtol: float, atol: float, maxiter: int | None
) -> Value:
    """The solution of ``a @ x = b`` by a method of ``scipy.sparse.linalg``, which must arrive."""
    rtol = max(rtol, 16 * float(np.finfo(np.result_type(b)).eps))
    x, info = f(a, b, rtol=rtol, atol=atol, maxiter=maxiter)
    if info:
        raise ConvergenceError(f"sparse.linalg.{f.__name__}: no convergence of a derivative")
    return x
