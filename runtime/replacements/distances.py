"""Distances as programs of NumPy, which are differentiated in place of those of ``scipy.spatial``.

A distance of 0 has the gradient 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = [
    "braycurtis", "canberra", "cdist", "chebyshev", "cityblock", "correlation", "cosine", "euclidean", "minkowski",
    "pdist", "sqeuclidean", "squareform",
]  # fmt: skip


def norm(x: Any, p: Any, w: Any) -> Any:
    """The p-norm of the last axis, with weights on the powers."""
    if w is None and p == 2:
        return np.linalg.norm(x, axis=-1)
    if w is not None:
        return np.linalg.norm(np.abs(x) * np.asarray(w) ** (1 / p), p, axis=-1)
    return np.linalg.norm(x, p, axis=-1)


def weighted(x: Any, w: Any) -> Any:
    return x if w is None else x * np.asarray(w)


def distances(x: Any, y: Any, metric: Any, p: Any, w: Any) -> Any:
    """The distance of every two vectors of two stacks that are broadcast."""
    if metric == "euclidean":
        return norm(x - y, 2, w)
    if metric == "sqeuclidean":
        return np.sum(weighted((x - y) ** 2, w), axis=-1)
    if metric == "cityblock":
        return np.sum(weighted(np.abs(x - y), w), axis=-1)
    if metric == "chebyshev":
        return np.max(np.abs(x - y) if w is None else np.abs(x - y) * (np.asarray(w) != 0), axis=-1)
    if metric == "minkowski":
        return norm(x - y, p, w)
    if metric == "cosine":
        xy = np.sum(weighted(x * y, w), axis=-1)
        xx, yy = np.sum(weighted(x * x, w), axis=-1), np.sum(weighted(y * y, w), axis=-1)
        return 1 - xy / np.sqrt(xx * yy)
    if metric == "correlation":
        total = x.shape[-1] if w is None else np.sum(w)
        u = x - np.sum(weighted(x, w), axis=-1, keepdims=True) / total
        v = y - np.sum(weighted(y, w), axis=-1, keepdims=True) / total
        return distances(u, v, "cosine", p, w)
    if metric == "braycurtis":
        above = np.sum(weighted(np.abs(x - y), w), axis=-1)
        return above / np.sum(weighted(np.abs(x + y), w), axis=-1)
    if metric == "canberra":
        under = np.abs(x) + np.abs(y)
        parts = np.where(under == 0, 0.0, np.abs(x - y) / np.where(under == 0, 1.0, under))
        return np.sum(weighted(parts, w), axis=-1)
    raise UnsupportedOperation(f"no derivative of the distance {metric!r}")


def doubles(x: Any) -> Any:
    return np.asarray(x, dtype=float)


def cdist(XA: Any, XB: Any, metric: Any = "euclidean", *, p: Any = 2.0, w: Any = None) -> Any:
    return distances(doubles(XA)[:, None, :], doubles(XB)[None, :, :], metric, p, w)


def pdist(X: Any, metric: Any = "euclidean", *, p: Any = 2.0, w: Any = None) -> Any:
    X = doubles(X)
    i, j = np.triu_indices(X.shape[0], 1)
    return distances(X[i], X[j], metric, p, w)


def euclidean(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "euclidean", 2.0, w)


def sqeuclidean(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "sqeuclidean", 2.0, w)


def cityblock(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "cityblock", 2.0, w)


def chebyshev(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "chebyshev", 2.0, w)


def minkowski(u: Any, v: Any, p: Any = 2, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "minkowski", p, w)


def cosine(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "cosine", 2.0, w)


def correlation(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "correlation", 2.0, w)


def braycurtis(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "braycurtis", 2.0, w)


def canberra(u: Any, v: Any, w: Any = None) -> Any:
    return distances(np.asarray(u), np.asarray(v), "canberra", 2.0, w)


def squareform(X: Any, force: Any = "no", checks: Any = True) -> Any:
    """The distances of all pairs as a symmetric matrix, or those above its diagonal."""
    X = np.asarray(X)
    if X.ndim == 2:
        rows, columns = np.triu_indices(X.shape[0], 1)
        return X[rows, columns]
    n = int(np.ceil(np.sqrt(2 * X.shape[0])))
    rows, columns = np.triu_indices(n, 1)
    above = np.zeros((n, n))
    above[rows, columns] = X
    return above + above.T
