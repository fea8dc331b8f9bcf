"""SciPy's names for what NumPy's linear algebra does, too."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def solve(a: Any, b: Any) -> Any:
    return np.linalg.solve(a, b)


def inv(a: Any) -> Any:
    return np.linalg.inv(a)


def det(a: Any) -> Any:
    return np.linalg.det(np.float64(a))


def cholesky(a: Any, lower: Any = False) -> Any:
    """Of the triangle that is asked for, which is the upper one."""
    return np.linalg.cholesky(a) if lower else np.linalg.cholesky(a.T).T


STAND_INS = {("scipy.linalg", f.__name__): f for f in (solve, inv, det, cholesky)}
