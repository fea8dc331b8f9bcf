"""The helpers of ``scipy.sparse``: adjoints of matrices of any kind, and solutions by iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from ...errors import ConvergenceError

__all__ = ["krylov_solve", "solve_entries", "sparse_adjoint", "times_entries"]

Value = Any


def sparse_adjoint(a: Value) -> Value:
    """The adjoint of a matrix: an array, a sparse one, or a linear operator.

    >>> sparse_adjoint(np.array([[1.0, 2j]])).tolist()
    [[(1-0j)], [-2j]]
    """
    if hasattr(a, "toarray") or isinstance(a, np.ndarray):
        return a.conj().T
    return a.H


def times_entries(data: Value, row: Value, col: Value, n: int, x: Value) -> Value:
    """The product of a matrix of ``n`` rows, given by its entries and their places, and ``x``.

    >>> times_entries(np.array([2.0, 3.0]), np.array([0, 0]), np.array([0, 1]), 1, np.array([1.0, 10.0])).tolist()
    [32.0]
    """
    z = np.zeros((n, *np.shape(x)[1:]), np.result_type(data, x))
    np.add.at(z, row, np.reshape(data, (-1, *[1] * (np.ndim(x) - 1))) * np.take(x, col, 0))
    return z


def solve_entries(data: Value, row: Value, col: Value, n: int, b: Value) -> Value:
    """The solution of ``a @ x = b`` for a square matrix that is given by its entries and their places.

    >>> solve_entries(np.array([2.0, 4.0]), np.array([0, 1]), np.array([0, 1]), 2, np.array([1.0, 1.0])).tolist()
    [0.5, 0.25]
    """
    kind = np.result_type(data, b)
    a = sparse.csc_matrix((data, (row, col)), shape=(n, n), dtype=kind)
    try:
        return sparse_linalg.splu(a).solve(np.asarray(b, kind))
    except RuntimeError as error:
        raise ConvergenceError(f"sparse.linalg.spsolve: {error}") from None


def krylov_solve(
    f: Callable[..., Any], a: Value, b: Value, rtol: float, atol: float, maxiter: int | None
) -> Value:
    """The solution of ``a @ x = b`` by a method of ``scipy.sparse.linalg``, which must arrive."""
    rtol = max(rtol, 16 * float(np.finfo(np.result_type(b)).eps))
    x, info = f(a, b, rtol=rtol, atol=atol, maxiter=maxiter)
    if info:
        raise ConvergenceError(f"sparse.linalg.{f.__name__}: no convergence of a derivative")
    return x
