"""Calls of what layers of networks are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M, T = A((3,)), A((2, 3)), A((4, 2, 3))
W, B = A((5, 3)), A((5,))
TIES = np.array([-1.0, 0.0, 1.0])


def moved(shape: tuple[int, ...], kernel: tuple[int, ...], out: tuple[int, ...]) -> Any:
    """The three of a product with windows: what is shown, the weights, the products."""
    return A((2, 3, *shape)), A((4, 3, *kernel)), A((2, 4, *out))


LINE, PLANE = moved((7,), (3,), (5,)), moved((5, 4), (2, 3), (4, 2))
SPARSE, WIDE = (
    moved((7,), (3,), (3,)),
    moved((7,), (3,), (3,)),
)  # every second window, every second entry
ONE = ((1,), (1,)), ((1, 1), (1, 1)), ((2,), (1,)), ((1,), (2,))
CASES = list(zip((LINE, PLANE, SPARSE, WIDE), ONE, strict=True))

SAMPLES: dict[Any, list[Sample]] = {
    linear.relu: [Sample((V,)), Sample((T,)), Sample((A(),))],
    linear.if_positive: [Sample((V, TIES)), Sample((M, np.ones((2, 3))))],
    linear.log_sigmoid: [Sample((V,)), Sample((M,), low=-40.0, high=40.0)],
    linear.softmax: [Sample((V, 0)), Sample((M, 1)), Sample((T, -2))],
    linear.log_softmax: [Sample((V, 0)), Sample((M, 1)), Sample((T, -2))],
    linear.times_transposed: [
        Sample((V, W), complex=True),
        Sample((M, W), complex=True),
        Sample((T, W), complex=True),
    ],
    linear.affine: [
        Sample((V, W, B), complex=True),
        Sample((M, W, B), complex=True),
        Sample((T, W, B), complex=True),
        Sample((M, W, A())),
    ],
    linear.products_with_windows: [
        Sample((x, w, *steps), complex=True) for (x, w, _), steps in CASES
    ],
    linear.windows_pull_whole: [
        Sample((c, w, x, *steps), complex=True) for (x, w, c), steps in CASES
    ],
    linear.windows_pull_weights: [
        Sample((c, x, w, *steps), complex=True) for (x, w, c), steps in CASES
    ],
}
