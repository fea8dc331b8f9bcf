"""Calls of integrals, slopes, interpolation and counts with weights, and of their helpers."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M, T, N = A((5,)), A((3, 4)), A((2, 3, 4)), A(scalar=True)


def apart(x: np.ndarray) -> np.ndarray:
    """``x`` with a distance between its entries along the last axis, none of them equal to another."""
    return x * x.dtype.type(0.1) + np.arange(x.shape[-1], dtype=x.dtype)


def between(x: np.ndarray) -> np.ndarray:
    """Places in, below and above (0, 4), none near a point of it."""
    places = np.array([1.3, -0.6, 3.4, 4.7, 2.6, 0.4, 2.2, 3.7])[: x.size].reshape(x.shape)
    return (places + x * 0.05).astype(x.dtype)


def tenth(x: np.ndarray) -> np.ndarray:
    return abs(x) + x.dtype.type(0.5)


P, P3, P4 = A((5,), apart), A((3,), apart), A((4,), apart)
X, X0, STEP = A((6,), between), A((), between), A((), tenth)
BINS = np.array([0.0, 1.0, 2.0, 4.0])
POINTS = np.array([0.2, 1.7, 3.1, 0.9, 4.0, 9.0])

SAMPLES: dict[Any, list[Sample]] = {
    linear.trapezoid: [
        Sample((V, P)),
        Sample((M, A((3, 4), apart))),
        Sample((M, P3), {"axis": 0}),
        Sample((T, P3), {"axis": 1}),
        Sample((V,), {"step": N}),
        Sample((M,), {"step": N, "axis": 0}),
    ],
    linear.untrapezoid: [
        Sample((N, np.zeros(5))),
        Sample((A((3,)), np.zeros((3, 4)), P4)),
        Sample((A((3,)), np.zeros((3, 4)), A((3, 4), apart))),
        Sample((A((4,)), np.zeros((3, 4)), None, N, 0)),
    ],
    linear.untrapezoid_at: [
        Sample((N, np.zeros(5), V)),
        Sample((A((3,)), np.zeros(4), M)),
        Sample((A((3,)), np.zeros((3, 4)), M)),
    ],
    linear.slope: [
        Sample((V, 1.0, 0), complex=True),
        Sample((V, STEP, 0)),
        Sample((V, 0.5, 0), {"edge_order": 2}),
        Sample((M, STEP, 1)),
        Sample((M, 2.0, 0), {"edge_order": 2}),
        Sample((A((2,)), STEP, -1)),
    ],
    linear.unslope: [
        Sample((V, np.zeros(5), STEP, 0)),
        Sample((V, np.zeros(5), 0.5, 0, 2)),
        Sample((M, np.zeros((3, 4)), 1.0, 1)),
    ],
    linear.slope_at: [
        Sample((V, P, 0)),
        Sample((V, P, 0), {"edge_order": 2}),
        Sample((M, P3, 0)),
        Sample((M, P4, 1), {"edge_order": 2}),
        Sample((A((2,)), A((2,), apart), 0)),
        Sample((A((3,)), P3, 0), {"edge_order": 2}),
    ],
    linear.along_axis: [Sample((V, np.zeros((2, 5)), 1)), Sample((V, np.zeros((5, 2))))],
    linear.sum_along: [Sample((M, np.zeros(4), 1)), Sample((M, np.zeros(3)))],
    np.interp: [
        Sample((X, P, V)),
        Sample((X0, P, V)),
        Sample((N, P, V), low=1.2, high=1.8),
        Sample((X, P, V, N, N)),
        Sample((A((2, 3), between), np.arange(5.0), V), {"right": N}),
        Sample((X, np.arange(5.0), V), {"left": 7.0}),
    ],
    np.bincount: [
        Sample((np.array([0, 2, 2, 1]), A((4,)))),
        Sample((np.array([3, 0]),), {"weights": A((2,)), "minlength": 6}),
    ],
    np.histogram: [
        Sample((POINTS, BINS), {"weights": A((6,))}),
        Sample((POINTS,), {"weights": A((6,)), "bins": 3, "range": (0.0, 4.0)}),
        Sample((POINTS,), {"weights": A((6,))}),
    ],
    np.histogram2d: [
        Sample((POINTS, POINTS[::-1]), {"bins": [BINS, BINS], "weights": A((6,))}),
        Sample((POINTS, POINTS[::-1]), {"bins": 2, "weights": A((6,))}),
    ],
    linear.binned: [
        Sample((A((6,)), (POINTS,), (BINS,))),
        Sample((A((6,)), (POINTS, POINTS[::-1]), (BINS, BINS))),
    ],
    linear.unbinned: [Sample((A((3,)), np.zeros(6), (POINTS,), (BINS,)))],
    linear.nothing: [Sample((V, np.zeros(2)))],
    np.cov: [
        Sample((M,), complex=True),
        Sample((V,)),
        Sample((M,), {"rowvar": False, "bias": True}),
        Sample((M,), {"ddof": 0, "fweights": np.array([1, 2, 1, 3])}),
        Sample((M,), {"aweights": np.array([0.5, 2.0, 1.0, 3.0])}),
        Sample(
            (M,), {"fweights": np.array([1, 2, 1, 3]), "aweights": np.array([0.5, 2.0, 1.0, 3.0])}
        ),
    ],
    np.corrcoef: [Sample((M,)), Sample((M,), {"rowvar": False}), Sample((V,))],
    linear.as_rows: [Sample((M, False)), Sample((V,), complex=True)],
    linear.from_rows: [
        Sample((A((4, 3)), np.zeros((3, 4)), False)),
        Sample((A((1, 5)), np.zeros(5))),
    ],
}
