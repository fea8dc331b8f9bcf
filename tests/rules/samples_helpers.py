"""Calls of the helpers that generated text needs around containers and tapes."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M, N = A((3,)), A((2, 3)), A(scalar=True)
SQUARE = A((2, 2))
TREE = {"w": np.zeros(3), "b": 0.0}

SAMPLES: dict[Any, list[Sample]] = {
    operator.imatmul: [Sample((SQUARE, SQUARE), complex=True)],
    linear.thin: [Sample((M, A((3,)), -1), complex=True)],
    linear.flipped: [Sample(([V, V, V],)), Sample(([N, N],))],
    linear.gone_over: [Sample(([V, V],)), Sample(([N, N, N],))],
    linear.regathered: [Sample(([V, V], [np.zeros(3)] * 2)), Sample(([N], [0.0]))],
    linear.plain: [Sample((V,)), Sample((M,))],
    linear.snapshot: [Sample((V,)), Sample((M,))],
    linear.appended: [Sample(([V, V], V)), Sample(([], N))],
    linear.joined: [Sample(([V, V], [V])), Sample(([], [N, N]))],
    linear.repeated_list: [Sample(([V, V], 2)), Sample(([N, N], 0))],
    linear.folded: [Sample(([N, N, N, N], [1.0, 2.0])), Sample(([V, V], [V, V]))],
    linear.spliced: [
        Sample(([V, N, V], slice(0, 2), [N])),
        Sample(([N, N, N], slice(2, 1), [N, N])),
        Sample(([N, N, N], slice(None, None, 2), [N, N])),
    ],
    linear.unspliced: [
        Sample(([N, N, N], slice(0, 2), [1.0, 2.0, 3.0, 4.0], [5.0])),
        Sample(([N, N, N], slice(None, None, 2), [1.0, 2.0, 3.0], [4.0, 5.0])),
    ],
    linear.spliced_in: [
        Sample(([N, N, N], slice(0, 2), [1.0, 2.0, 3.0, 4.0], [5.0])),
        Sample(([N, N, N], slice(None, None, 2), [1.0, 2.0, 3.0], [4.0, 5.0])),
    ],
    linear.replaced: [Sample(([V, V], 1, V)), Sample(([N, N, N], -1, N))],
    linear.cleared: [Sample(([V, V], 1)), Sample(([V, N], 1, [V, 2.0])), Sample(([N, N], -1))],
    linear.inserted: [Sample(([V, V], 1, V)), Sample(([N, N], -1, N)), Sample(([N], 9, N))],
    linear.removed: [Sample(([V, V], 1)), Sample(([N, N],))],
    linear.put_back: [Sample(([V, V], [np.zeros(3)] * 3, 0)), Sample(([N], [0.0, 0.0], -1))],
    linear.put_at: [Sample(([[V, N], [V]], (0, 1), N)), Sample(({"a": [V]}, ("a", 0), V))],
    linear.renewed_at: [Sample(([[N], [N]], (1,), [N, N])), Sample(({"a": N}, ("b",), N))],
    linear.increased_at: [
        Sample(([[V, N], [V]], (0, 1), N)),
        Sample(({"a": [V]}, ("a", 0), V)),
        Sample(([N, N, N], (slice(1, None),), [N, N])),
    ],
    linear.cleared_at: [
        Sample(([[V, N], [V]], (0, 1), [[np.zeros(3), 0.0], [np.zeros(3)]])),
        Sample(({"a": N, "b": V}, ("b",), {"a": 1.0})),
    ],
    linear.taken_at: [Sample(([[V, N], [V]], (0, 0))), Sample(({"a": [N]}, ("a", 0)))],
    linear.entered: [Sample(({"a": V}, "b", N)), Sample(({"a": N, "b": V}, "a", N))],
    linear.dropped: [Sample(({"a": V, "b": N}, "a"))],
    linear.like_keys: [Sample(({"a": N, "b": N}, {"a": 1.0, "b": 2.0}, "b"))],
    linear.shallow: [Sample(([V, N],)), Sample(({"a": V},))],
    linear.values_of: [Sample(({"a": V, "b": N},))],
    linear.with_keys: [Sample(([V, N], ["a", "b"]))],
    linear.norm_of: [Sample((V,)), Sample((A((1,)),))],
    linear.items: [Sample((V,), complex=True), Sample((M,))],
    builtins.tuple: [Sample(([V, V],))],
    linear.frozen: [Sample(([V, V],))],
    linear.thawed: [Sample(([V, V],)), Sample(((V, V),))],
    np.ndarray.tolist: [Sample((V,), complex=True), Sample((M,))],
    linear.fill_like: [
        Sample((TREE, {"w": V})),
        Sample((TREE, {"w": V, "b": N})),
        Sample(((np.zeros(3), np.zeros(2)), {0: V})),
    ],
    linear.picked: [Sample(({"w": V, "b": N}, {"w": np.zeros(3)}))],
    linear.match: [
        Sample((V, np.zeros(3)), complex=True),
        Sample((A(()), np.zeros((2, 3)))),
        Sample((N, 1.0)),
        Sample(([N, V], [np.zeros((2, 3)), np.zeros((2, 3))])),
    ],
    linear.as_tangent: [
        Sample((V, np.zeros(3)), complex=True),
        Sample((N, 1.0)),
        Sample(([N, V], [1.0, np.zeros(3)])),
    ],
    linear.unmatch: [
        Sample((M, 1.0)),
        Sample((M, np.zeros(3)), complex=True),
        Sample(([M, M], [1.0, np.zeros((1, 3))])),
    ],
    linear.to_type: [
        Sample((M, np.float64)),
        Sample((M, np.complex128)),
        Sample((M, np.int64), smooth=False),
    ],
    linear.if_number: [
        Sample((V, np.array([np.nan, 1.0, np.inf]))),
        Sample((N, np.array([np.nan, 1.0]))),
        Sample((M, 2.0)),
    ],
    linear.reached: [
        Sample((M, np.array([[1.0, np.nan, 2.0]] * 2), np.array([0.0, 1.0]), "ij->i")),
        Sample((M, np.array([[1.0, np.inf, 2.0]] * 2), np.zeros(3), "ij->j")),
        Sample((V, np.ones(3), np.zeros(2), "j->i")),
    ],
    linear.on_support: [
        Sample((V, np.array([-np.inf, 1.0, 0.5]))),
        Sample((M, np.array([-np.inf, 1.0, 0.5]))),
        Sample((N, 2.0)),
    ],
    linear.hazard: [Sample((M, V)), Sample((V, V)), Sample((N, N))],
    linear.points: [Sample((V, 1)), Sample((V, 3)), Sample((M, 3)), Sample((A(()), 1))],
    linear.center: [Sample((V, 3)), Sample((N, 1))],
    linear.covariance: [Sample((N, 2)), Sample((V, 3)), Sample((SQUARE, 2))],
    linear.uncovariance: [
        Sample((SQUARE, 1.0)),
        Sample((SQUARE, np.zeros(2))),
        Sample((SQUARE, np.zeros((2, 2)))),
    ],
    linear.row_products: [
        Sample((M, M)),
        Sample((A((1, 3)), A((1, 3)))),
        Sample((A((2, 1, 3)), A((2, 1, 3)))),
    ],
    linear.row_scaled: [Sample((A((2,)), M)), Sample((N, A((1, 3))))],
    linear.row_traces: [
        Sample((SQUARE, SQUARE, np.zeros((3, 2)))),
        Sample((SQUARE, SQUARE, np.zeros((1, 2)))),
    ],
    linear.simplex: [Sample((A((2,)), 3)), Sample((A((3,)), 3)), Sample((A((2, 4)), 3))],
    linear.simplex_change: [Sample((A((2,)), 3)), Sample((A((3,)), 3)), Sample((A((2, 4)), 3))],
    linear.simplex_pull: [
        Sample((V, np.zeros(2))),
        Sample((V, np.zeros(3))),
        Sample((A((4, 3)), np.zeros((2, 4)))),
    ],
}
