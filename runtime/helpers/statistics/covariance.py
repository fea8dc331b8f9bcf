"""Helpers of covariance: observations as rows of variables, and what each observation weighs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import cast

__all__ = ["as_rows", "from_rows", "observation_shares", "observation_weights"]


def as_rows(c: Any, rowvar: bool = True) -> Any:
    """The observations of `np.cov` as a matrix with one variable in each row.

    >>> as_rows(np.array([1.0, 2.0]))
    array([[1., 2.]])
    """
    rows = np.atleast_2d(c)
    return rows if rowvar or np.ndim(c) < 2 else rows.T


def from_rows(c: Any, like: Any, rowvar: bool = True) -> Any:
    """`as_rows`, undone: in the shape of ``like``.

    >>> from_rows(np.array([[1.0, 2.0]]), np.zeros(2))
    array([1., 2.])
    """
    c = c if rowvar or np.ndim(like) < 2 else c.T
    return cast(np.reshape(c, np.shape(like)), like)


def multiplicities(rows: Any, fweights: Any, aweights: Any) -> Any:
    """How much every observation counts."""
    counts = np.ones(np.shape(rows)[1], np.result_type(np.asarray(np.real(rows)), np.float16))
    for weights in (fweights, aweights):
        counts = counts if weights is None else counts * np.asarray(weights)
    return counts


def observation_shares(rows: Any, fweights: Any = None, aweights: Any = None) -> Any:
    """The part each observation has in a mean.

    >>> observation_shares(np.zeros((1, 2)), np.array([1, 3]))
    array([0.25, 0.75])
    """
    counts = multiplicities(rows, fweights, aweights)
    return counts / np.sum(counts)


def observation_weights(
    rows: Any, bias: Any = False, ddof: Any = None, fweights: Any = None, aweights: Any = None
) -> Any:
    """The part each observation has in a covariance.

    >>> observation_weights(np.zeros((1, 3)))
    array([0.5, 0.5, 0.5])
    """
    counts = multiplicities(rows, fweights, aweights)
    total = np.sum(counts)
    less = (0 if bias else 1) if ddof is None else ddof
    if aweights is not None:
        less = less * np.sum(counts * np.asarray(aweights)) / total
    return counts / np.maximum(total - less, 0.0)
