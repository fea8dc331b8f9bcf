"""Calls of what rearranges: windows, resizing, choices by number, running extremes; and of helpers."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample
from .samples_reductions import with_zeros

__all__ = ["SAMPLES"]

V, M, T, N = A((5,)), A((3, 4)), A((2, 3, 4)), A(scalar=True)
INDEX = np.array([0, 1, 1, 0])
windows, strided = (
    np.lib.stride_tricks.sliding_window_view,
    np.lib.stride_tricks.as_strided,
)


def ends(x: np.ndarray) -> np.ndarray:
    """``x`` with zeros at both ends and one between."""
    x = x.copy()
    x.flat[0] = x.flat[-1] = x.flat[2] = 0.0
    return x


SAMPLES: dict[Any, list[Sample]] = {
    np.resize: [
        Sample((V, (3, 3)), complex=True),
        Sample((M, 5)),
        Sample((N, (2, 2))),
        Sample((M, (2, 2))),
    ],
    np.trim_zeros: [
        *(Sample((A((6,), ends), t), smooth=False) for t in ("fb", "f", "b")),
        Sample((V,)),
    ],
    windows: [
        Sample((V, 3), complex=True),
        Sample((M, (2, 2))),
        Sample((M, 2), {"axis": 0}),
        Sample((T, (2, 3)), {"axis": (0, 2)}),
    ],
    strided: [
        Sample((V,), {"shape": (3, 5), "strides": (0, 0)}),
        Sample((M,)),
        Sample((M, (2, 3))),
    ],
    np.sort_complex: [Sample((V,)), Sample((M,), complex=True)],
    np.maximum.accumulate: [Sample((V,)), Sample((M,)), Sample((T,), {"axis": -1})],
    np.minimum.accumulate: [Sample((V,)), Sample((M,), {"axis": 1})],
    np.fmax.accumulate: [Sample((V,))],
    np.fmin.accumulate: [Sample((M,), {"axis": 1})],
    np.add.reduceat: [
        Sample((V, [0, 2]), complex=True),
        Sample((V, np.array([3, 1, 0, 2]))),
        Sample((M, [0, 1]), {"axis": 1}),
    ],
    linear.reduceat: [Sample((V, [0, 2])), Sample((M, np.array([2, 0]), 0), complex=True)],
    linear.spread_at: [
        Sample((A((2,)), np.zeros(5), [0, 2])),
        Sample((A((3, 3)), np.zeros((3, 4)), np.array([2, 0, 3]), 1)),
    ],
    linear.beside: [Sample((V, np.zeros((2, 3))), complex=True), Sample((N, np.zeros(2)))],
    linear.restored: [Sample((V, np.zeros((2, 5)), 0)), Sample((M, np.zeros((3, 1)), 1))],
    np.pad: [
        Sample((V, 1), {"constant_values": N}),
        Sample((V, (1, 2)), {"constant_values": (N, 2.0)}),
        Sample((M, ((1, 0), (2, 1))), {"constant_values": A((2, 2))}),
    ],
    linear.margins: [Sample((N, np.ones(3), 1)), Sample(((N, N), np.ones((2, 3)), 1))],
    linear.unmargins: [
        Sample((A((5,)), 0.0, np.ones(3), 1)),
        Sample((A((4, 5)), (0.0, 0.0), np.ones((2, 3)), 1)),
    ],
    np.choose: [
        Sample((INDEX, [A((4,)), A((4,))]), complex=True),
        Sample((INDEX, (A((4,)), N))),
        Sample((INDEX, A((2, 4)))),
        Sample((INDEX + 1, [A((4,)), N]), {"mode": "wrap"}),
        Sample((INDEX + 1, [M, A((4,))]), {"mode": "clip"}),
    ],
    np.ndarray.choose: [Sample((INDEX, [A((4,)), A((4,))]))],
    linear.unchoose: [
        Sample((A((4,)), INDEX, [np.zeros(4), 0.0])),
        Sample((A((4,)), INDEX, np.zeros((2, 4)))),
    ],
    np.ndarray.view: [Sample((V,), complex=True)],
    np.require: [Sample((V,), complex=True), Sample((M, None, ["F"])), Sample((M, np.float64))],
    np.unwrap: [
        Sample((A((6,), lambda x: x * 5),)),
        Sample((A((3, 4), lambda x: x * 5),), {"axis": 0}),
        Sample((A((6,), lambda x: x * 5),), {"discont": 4.0, "period": 7.0}),
    ],
    np.dsplit: [Sample((T, 2)), Sample((T, [1, 2]), complex=True)],
    np.nextafter: [Sample((V, np.ones(5))), Sample((N, 2.0))],
    np.maximum.reduce: [Sample((A((4,), with_zeros),), {"initial": -3.0})],
}
