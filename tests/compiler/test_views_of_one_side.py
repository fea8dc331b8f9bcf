"""A name that shows another array on one side of a branch, at a place that is computed there, before that is written to."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

VIEWS = {
    "a column": "d = y[:, k % 3]",
    "a row": "j = k - 1\n        d = y[j, :2]",
    "a slice": "j = k % 2\n        d = y[1, j : j + 2]",
    "a part of a row": "i = k - 1\n        row = y[i]\n        d = row[i : i + 2]",
    "by the sizes": "d = y[len(d) - 1, len(d) - 2 : len(d)]",
    "in a branch": "if k > 1:\n            d = y[:, k % 3]",
    "transposed": "d = y.T[k % 2]",
    "reversed": "d = y[k - 1, ::-1][: k + 1][:2]",
}
WRITES = {
    "all of it": "y += x",
    "an item": "y[0, 1] = x * x",
    "a row": "y[1] *= x",
    "through the name": "d[0] = x * d[1]",
    "in a loop": "for i in range(2):\n        y[i] = y[i] * x + i",
}
TEXT = """
def f(x, d, k):
    y = np.stack([np.full((3,), x * x), np.concatenate((d, d[:1]))])
    if x > 0.0:
        {view}
    {write}
    return np.sum(y * y) + np.sum(d * d * np.array([1.0, 2.0]))
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("view", VIEWS)
def test_derivatives(view: str, write: str) -> None:
    f = written(TEXT.format(view=VIEWS[view], write=WRITES[write]))
    gradient, v, eps = rg.grad(f, wrt=(0, 1), strict=True), np.array([1.0, 0.5]), 1e-6
    for x in (0.9, -0.6):
        for k in (1, 2):
            d = np.array([0.8, 0.7])
            slope = (f(x + eps, d.copy(), k) - f(x - eps, d.copy(), k)) / (2 * eps)
            along_d = (f(x, d + eps * v, k) - f(x, d - eps * v, k)) / (2 * eps)
            x_bar, d_bar = gradient(x, d.copy(), k)
            assert x_bar == pytest.approx(slope)
            assert d_bar @ v == pytest.approx(along_d)
            _, tangent = rg.jvp(f, (x, d.copy(), k), (1.0, v, None))
            assert tangent == pytest.approx(slope + along_d)
