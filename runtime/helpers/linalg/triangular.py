"""Systems with a triangular matrix, by NumPy alone.

``np.linalg.solve`` factors a matrix that needs no factoring.  Here halves are solved one after the other, so
that nearly all the work is products of matrices: as quick as LAPACK's triangular solver, and as exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .factorisations import herm

__all__ = ["solve_lower"]

Value = Any
SMALL = 64  # rows up to which `np.linalg.solve` is as quick
LEAF = 32  # rows that are solved at once


def solve_lower(low: Value, b: Value, adjoint: bool = False) -> Value:
    """``inv(low) @ b``, or ``inv(low).conj().T @ b``, ``low`` being lower triangular.

    >>> low = np.array([[2.0, 0.0], [4.0, 1.0]])
    >>> solve_lower(low, np.eye(2)).tolist()
    [[0.5, 0.0], [-2.0, 1.0]]
    >>> solve_lower(low, np.eye(2), adjoint=True).tolist()
    [[0.5, -2.0], [0.0, 1.0]]
    """
    if low.shape[-1] <= SMALL:
        return np.linalg.solve(herm(low, adjoint), b)
    x = np.array(b, np.result_type(low, b))
    (upwards if adjoint else downwards)(low, x)
    return x


def downwards(low: Value, x: Value) -> None:
    """Solve in place, the first rows first."""
    n = low.shape[-1]
    if n <= LEAF:
        return refined(low, x)
    h = n // 2
    first, last = x[..., :h, :], x[..., h:, :]
    downwards(low[..., :h, :h], first)
    last -= low[..., h:, :h] @ first
    downwards(low[..., h:, h:], last)


def upwards(low: Value, x: Value) -> None:
    """The same with the adjoint, the last rows first."""
    n = low.shape[-1]
    if n <= LEAF:
        return refined(herm(low), x)
    h = n // 2
    first, last = x[..., :h, :], x[..., h:, :]
    upwards(low[..., h:, h:], last)
    first -= herm(low[..., h:, :h]) @ last
    upwards(low[..., :h, :h], first)


def refined(a: Value, x: Value) -> None:
    """By the inverse, and once more with what is left: the inverse alone is less exact."""
    inverse = np.linalg.inv(a)
    found = inverse @ x
    x -= a @ found
    x[...] = found + inverse @ x
