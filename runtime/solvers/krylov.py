"""Linear systems known by their product with a vector: by the whole matrix, or by GMRES."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ConvergenceError

__all__ = ["dense", "gmres"]

Product = Callable[[Any], Any]


def dense(product: Product, b: Any, what: str) -> Any:
    """Solve with the matrix itself, a column per unknown.

    >>> dense(lambda v: np.array([2 * v[0], v[0] + v[1]]), np.array([2.0, 3.0]), "the matrix")
    array([1., 2.])
    """
    zero = np.zeros_like(b)
    columns = []
    for k in range(b.size):
        zero[k] = 1.0
        columns.append(product(zero.copy()))
        zero[k] = 0.0
    singular = ConvergenceError(f"{what}: singular here, so that nothing is determined")
    try:
        found = np.linalg.solve(np.stack(columns, axis=1), b) if b.size else b
    except np.linalg.LinAlgError:
        raise singular from None
    if np.all(np.isfinite(b)) and not np.all(np.isfinite(found)):  # the device says nothing
        raise singular
    return found


def gmres(
    product: Product, b: Any, tol: float, what: str, restart: int = 60, most: int = 50
) -> Any:
    """Restarted GMRES; `ConvergenceError` if the residual does not come down.

    >>> gmres(lambda v: np.array([2.0, 4.0]) * v, np.array([2.0, 2.0]), 1e-12, "example")
    array([1. , 0.5])
    """
    x, scale = np.zeros_like(b), float(np.linalg.norm(b))
    if scale == 0.0:
        return x
    r, before = b, np.inf
    for _ in range(most):
        x = x + cycle(product, r, tol * scale, min(restart, b.size))
        r = b - product(x)
        left = float(np.linalg.norm(r))
        if left <= 10 * tol * scale or (left < 1e-9 * scale and left >= 0.5 * before):
            return x
        before = left
    raise ConvergenceError(f"{what}: GMRES leaves a residual of {before / scale:.2g}")


def cycle(product: Product, r: Any, enough: float, most: int) -> Any:
    """The best correction in the Krylov space of ``r``, by Arnoldi's method."""
    beta = float(np.linalg.norm(r))
    basis, h = [r / beta], np.zeros((most + 1, most))
    for k in range(most):
        w = product(basis[k])
        for _ in range(2):  # once more: rounding spoils orthogonality
            for j, q in enumerate(basis):
                part = float(q @ w)
                h[j, k] += part
                w = w - part * q
        h[k + 1, k] = np.linalg.norm(w)
        target = np.zeros(k + 2)
        target[0] = beta
        y, *_ = np.linalg.lstsq(h[: k + 2, : k + 1], target, rcond=None)
        left = float(np.linalg.norm(h[: k + 2, : k + 1] @ y - target))
        if left <= enough or h[k + 1, k] <= 1e-14 * beta or k + 1 == most:
            return np.stack(basis, axis=1) @ y
        basis.append(w / h[k + 1, k])
    return np.zeros_like(r)
