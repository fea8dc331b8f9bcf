"""The helpers of least squares, of polynomials that are fitted, and of equations between tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import NotDifferentiable
from ..core import cast

__all__ = ["cutoff", "falling", "if_there", "one_lower", "rows_times", "two_sides", "uncut"]

Value = Any


def cutoff(a: Value, rcond: float | None = None) -> float:
    """The part of the largest singular value below which ``np.linalg.lstsq`` counts one as zero: LAPACK's, if it is none."""
    if rcond is not None and np.ndim(rcond) == 0 and 0 < rcond < 1:
        return float(rcond)
    dtype = np.result_type(a, np.float32)
    eps = float(np.finfo(dtype).eps)
    return eps * max(np.shape(a)) if rcond is None else eps


def uncut(n: int, a: Value, rcond: Any = None, rtol: Any = None, atol: Any = None) -> int:
    """``n``; an error, if singular values of ``a`` are counted as zero that are none.

    What is left then turns with the vectors of those that are dropped: derivatives at constant rank are not those.

    >>> uncut(2, np.diag([1.0, 1e-3]), 1e-6), uncut(2, np.diag([1.0, 0.0]), 1e-6)
    (2, 2)
    """
    relative = rtol if rcond is None else rcond
    if np.ndim(relative) == 0 and not 0 < (relative or 0) < 1:
        relative = None  # none is dropped, or all are
    if (relative is None and atol is None) or 0 in np.shape(a):
        return n
    s = np.linalg.svd(a, compute_uv=False)
    largest = s[..., :1]
    cut = np.asarray(relative or 0.0)[..., None] * largest + (atol or 0.0)
    if np.any((s <= cut) & (s > np.finfo(s.dtype).eps * max(np.shape(a)) * largest)):
        raise NotDifferentiable(
            "singular values are counted as zero that are not: the derivative of what is left is not known",
            fix="a smaller cutoff; or drop them with np.linalg.svd, which is differentiated",
        )
    return n


def if_there(c: Value, like: Value) -> Value:
    """``c`` in the shape of ``like``; zeros where one of the two is empty and the other is not.

    >>> if_there(np.array(2.0), np.zeros(1)), if_there(np.array(2.0), np.zeros(0))
    (array([2.]), array([], dtype=float64))
    """
    shape = np.shape(like)
    if np.size(c) != np.size(like):
        return np.zeros(shape, np.asarray(cast(c, like)).dtype)
    return cast(np.reshape(c, shape), like)


def falling(deg: int, like: Value) -> Value:
    """``deg ... 0`` as floats: the exponents of a polynomial in ``like``.

    >>> falling(2, np.zeros(3))
    array([2., 1., 0.])
    """
    return np.arange(deg, -1, -1).astype(np.result_type(np.real(like), 0.0))


def one_lower(k: Value) -> Value:
    """The exponents of the derivative, 0 for that of a constant.

    >>> one_lower(np.array([2.0, 1.0, 0.0]))
    array([1., 0., 0.])
    """
    return np.maximum(k - 1, 0)


def rows_times(x: Value, w: Value = None) -> Value:
    """The rows of ``x`` times the weights ``w``; ``None``: as they are.

    >>> rows_times(np.ones((2, 1)), [2.0, 3.0]).tolist()
    [[2.0], [3.0]]
    """
    if w is None:
        return x
    weights = np.asarray(w)
    return (x.T * weights).T


def two_sides(a: Value, axes: Any = None, first: int = 0) -> tuple[int, ...]:
    """The axes of ``a`` as ``np.linalg.tensorsolve`` sees them, the ``first`` ones put last.

    >>> two_sides(np.zeros((1, 2, 3)), (0,)), two_sides(np.zeros((1, 2, 3)), None, 1)
    ((1, 2, 0), (1, 2, 0))
    """
    order = list(range(np.ndim(a)))
    for axis in () if axes is None else axes:
        order.remove(axis)
        order.append(axis)
    return (*order[first:], *order[:first])
