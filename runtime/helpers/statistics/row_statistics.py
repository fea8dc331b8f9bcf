"""Points as rows, and what a multivariate distribution does with them: products, traces, covariances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..elementwise import weak

__all__ = [
    "center",
    "covariance",
    "dimension",
    "points",
    "row_products",
    "row_scaled",
    "row_traces",
    "simplex",
    "simplex_change",
    "simplex_pull",
    "uncovariance",
]


def dimension(mean: Any, cov: Any, allow_singular: bool = False) -> int:
    """Of a normal distribution, as SciPy finds it; a singular covariance is refused.

    >>> dimension(None, np.eye(3)), dimension(np.zeros(2), 1.0), dimension(None, 2.0)
    (3, 2, 1)
    """
    rows = int(np.shape(cov)[0]) if np.ndim(cov) > 1 else 1
    d = rows if mean is None else int(np.size(mean))
    if allow_singular and is_singular(covariance(cov, d)):
        raise UnsupportedOperation(
            "multivariate_normal: the density of a singular covariance is zero beside a plane, and has no derivative"
        )
    return d


def is_singular(cov: Any) -> bool:
    """True if SciPy takes a covariance for one."""
    widths = np.linalg.eigvalsh(cov)
    scale = {"f": 1e3, "d": 1e6}[widths.dtype.char] * np.finfo(widths.dtype).eps
    return bool(np.min(widths) <= scale * np.max(np.abs(widths)))


def points(x: Any, d: int) -> Any:
    """The points as rows: an array of one axis is one point, or many of one dimension.

    >>> points(np.zeros(3), 1).shape, points(np.zeros(3), 3).shape
    ((3, 1), (1, 3))
    """
    x = np.asarray(x)
    if x.ndim > 1:
        return x
    return x.reshape(-1, 1) if d == 1 else x.reshape(1, -1)


def center(mean: Any, d: int) -> Any:
    """The mean as a row; 0 if none is given."""
    return np.zeros(d) if mean is None else np.reshape(mean, (d,))


def covariance(cov: Any, d: int) -> Any:
    """The covariance as a matrix: a number or a vector stand for diagonal ones.

    >>> covariance(2.0, 2).tolist(), covariance(np.array([1.0, 3.0]), 2).tolist()
    ([[2.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 3.0]])
    """
    if not isinstance(cov, (np.ndarray, float, int, list, np.generic)):
        raise UnsupportedOperation("multivariate_normal: no derivative for this form of covariance")
    cov = np.asarray(cov)
    if cov.ndim == 0:
        return cov * np.eye(d, dtype=cov.dtype)
    return np.diag(cov) if cov.ndim == 1 else cov


def uncovariance(c: Any, like: Any) -> Any:
    """The transpose of `covariance`.

    >>> uncovariance(np.array([[1.0, 2.0], [3.0, 4.0]]), 1.0)
    np.float64(5.0)
    """
    rank = np.ndim(like)
    return np.trace(c) if rank == 0 else np.diagonal(c).copy() if rank == 1 else c


def row_products(a: Any, b: Any) -> Any:
    """The product of every two rows; axes of length 1 are dropped, as SciPy does.

    >>> row_products(np.ones((2, 3)), np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]))
    array([6., 1.])
    """
    return np.sum(a * b, axis=-1).squeeze()[()]


def row_scaled(c: Any, b: Any) -> Any:
    """Every row times its number: a transpose of `row_products`."""
    return np.reshape(weak(c, b), (*np.shape(b)[:-1], 1)) * b


def row_traces(s: Any, p: Any, like: Any) -> Any:
    """The sum of ``s * p``, for every row of ``like``."""
    return np.full(np.shape(like)[:-1], np.sum(s * p)).squeeze()[()]


def simplex(x: Any, parts: int) -> Any:
    """The points as rows, the last of their components filled in if it is left out.

    >>> simplex(np.array([0.2, 0.3]), 3)
    array([0.2, 0.3, 0.5])
    """
    return completed(x, parts, 1.0)


def simplex_change(x: Any, parts: int) -> Any:
    """How these rows change along ``x``."""
    return completed(x, parts, 0.0)


def completed(x: Any, parts: int, whole: float) -> Any:
    rows = np.asarray(x).T
    if rows.shape[-1] == parts:
        return rows
    return np.concatenate([rows, whole - rows.sum(-1, keepdims=True)], axis=-1)


def simplex_pull(c: Any, like: Any) -> Any:
    """The transpose of `simplex_change`.

    >>> simplex_pull(np.array([1.0, 2.0, 5.0]), np.zeros(2))
    array([-4., -3.])
    """
    columns = np.asarray(c).T
    return columns if len(columns) == len(like) else columns[:-1] - columns[-1]
