"""Calls of the helpers of batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers.batches import examples

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M, T = A((3,)), A((3, 2)), A((3, 2, 4))

SAMPLES: dict[Any, list[Sample]] = {
    examples.aligned: [Sample((M, 3), complex=True), Sample((V, 0)), Sample((V, 2))],
    examples.flat_examples: [Sample((T,), complex=True), Sample((M,))],
    examples.example: [Sample((M, 1)), Sample((V, 0)), Sample(([V, M], 2))],
    examples.put_example: [
        Sample((A((2,)), np.zeros((3, 2)), 1)),
        Sample((A(scalar=True), np.zeros(3), 2)),
    ],
    examples.of_examples: [Sample(([V, V],)), Sample(([A(scalar=True), A(scalar=True)],))],
    examples.examples_like: [Sample((M, [np.zeros(2)] * 3)), Sample((V, [0.0, 0.0, 0.0]))],
    examples.repeated_examples: [Sample((V, 2)), Sample((A(scalar=True), 3))],
    examples.summed_examples: [Sample((M,)), Sample((V,))],
    examples.unbroadcast_examples: [
        Sample((T, np.zeros((3, 4)), True)),
        Sample((T, np.zeros((1, 4)), False)),
        Sample((T, 0.0, False)),
    ],
    examples.stretch_examples: [
        Sample((A((3, 4)), np.zeros((3, 2, 4)))),
        Sample((V, np.zeros((3, 2)))),
    ],
    examples.examples_first: [Sample((M, 1, 2)), Sample((V, None, 2))],
    examples.examples_moved: [Sample((M, 1)), Sample((T, -1))],
}
