"""Other names for what NumPy's linear algebra does, and products of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd import runtime as rt

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


def vecdot(x1: Any, x2: Any, axis: Any = -1) -> Any:
    if axis != -1:
        raise ValueError("another axis")
    return np.sum(x1 * x2, axis=-1)


def vecdot_pull(c: Any, y: Any, like: Any, axis: Any = -1) -> Any:
    if axis != -1:
        raise ValueError("another axis")
    return rt.unbroadcast(c * y if np.ndim(c) == 0 else c[..., None] * y, like)


def matvec(x1: Any, x2: Any) -> Any:
    if np.ndim(x1) != 2 or np.ndim(x2) != 1:
        raise ValueError("a stack")
    return x1 @ x2


def vecmat(x1: Any, x2: Any) -> Any:
    if np.ndim(x1) != 1 or np.ndim(x2) != 2:
        raise ValueError("a stack")
    return x1 @ x2


def outer(x1: Any, x2: Any) -> Any:
    if np.ndim(x1) != 1 or np.ndim(x2) != 1:
        raise ValueError("no vectors")
    return np.outer(x1, x2)


def matmul(x1: Any, x2: Any) -> Any:
    return np.matmul(x1, x2)


def cross(x1: Any, x2: Any) -> Any:
    return np.cross(x1, x2)


def tensordot(x1: Any, x2: Any, *, axes: Any = 2) -> Any:
    return np.tensordot(x1, x2, axes=axes)


def diagonal(x: Any, *, offset: Any = 0) -> Any:
    return np.diagonal(x, offset, -2, -1)


def trace(x: Any, *, offset: Any = 0) -> Any:
    return np.trace(x, offset, -2, -1)


def vector_norm(x: Any, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    if np.ndim(x) != 1 if axis is None else np.ndim(axis) != 0:
        raise ValueError("a norm along several axes")
    return np.linalg.norm(x, ord, axis, keepdims)


def matrix_norm(x: Any, *, ord: Any = "fro") -> Any:
    if ord != "fro" or np.ndim(x) != 2:
        raise ValueError("another norm")
    return np.linalg.norm(x)


def matrix_power(a: Any, n: Any) -> Any:
    if np.ndim(a) != 2 or not -8 <= n <= 8 or n == 0:
        raise ValueError("a stack, or a power to be squared for")
    base = np.linalg.inv(a) if n < 0 else a
    found = base
    for _ in range(abs(n) - 1):
        found = found @ base
    return found


STAND_INS: dict[tuple[str, str], Any] = {
    ("scipy.linalg", f.__name__): f for f in (solve, inv, det, cholesky)
}
STAND_INS |= {("numpy", f.__name__): f for f in (vecdot, matvec, vecmat)}
STAND_INS |= {
    ("numpy.linalg", f.__name__): f
    for f in (
        vecdot, outer, matmul, cross, tensordot, diagonal, trace, vector_norm, matrix_norm, matrix_power,
    )
}  # fmt: skip
STAND_INS["retrograd.runtime", "vecdot_pull"] = vecdot_pull
