"""Axes, sizes and shifts in lists, wherever NumPy takes one: both modes, and the tape."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape import calls
from tests.written import written

CALLS = (
    "np.expand_dims(x, [0])",
    "np.expand_dims(x, [0, -1])",
    "np.expand_dims(x, AXES)",
    "np.moveaxis(x, [0, 1], [-1, 0])",
    "np.transpose(x, [2, 0, 1])",
    "x.transpose([1, 0, 2])",
    "np.flip(x, [0, 1])",
    "np.roll(x, [1, 2], [0, 1])",
    "np.rot90(x, 1, [0, 2])",
    "np.tensordot(x, w, [[2, 1], [0, 1]])",
    "np.fft.fftn(x, axes=[0, 1]).real",
    "np.fft.irfftn(x, [2, 3], [0, 1])",
    "np.median(x, axis=[0, 1])",
    "np.quantile(x, [0.3, 0.6], axis=[0, 1])",
    "np.repeat(x, [1, 2], axis=0)",
    "np.pad(x, [[1, 1], [0, 2], [0, 0]])",
    "np.split(x, [1], axis=1)[1]",
    "np.delete(x, [0, 1], axis=2)",
    "np.tile(x, [2, 1, 1])",
    "np.broadcast_to(x, [5, 2, 3, 4])",
    "np.reshape(x, [6, -1])",
    "x.reshape([4, 6])",
    "np.resize(x, [3, 3])",
    "np.einsum(x, [0, 1, 2], w, [2, 1], [0])",
)
X = np.cos(np.arange(24.0)).reshape(2, 3, 4)
W = np.sin(np.arange(12.0)).reshape(4, 3)


@pytest.mark.parametrize("call", CALLS)
def test_right(call: str) -> None:
    f = written(f"def f(x, w):\n    return np.sum(np.sin({call}))\n", AXES=[0, 2])
    rg.check_grads(f, (X, W))
    _, pull = calls.taped(f, X, W, wrt=(0, 1))
    for mine, other in zip(pull(1.0), rg.grad(f, (0, 1))(X, W), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-14)
