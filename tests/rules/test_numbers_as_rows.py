"""Functions of rows that take a number for a row of one entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import taped

from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")

CALLS = [
    *(f"np.convolve({pair}, '{mode}')" for pair in ("x, a", "a, x", "x, x") for mode in ("full", "same", "valid")),
    "linalg.toeplitz(x)", "linalg.toeplitz(x, a)", "linalg.toeplitz(a, x)", "linalg.circulant(x)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_numbers_as_rows(call: str) -> None:
    linalg = pytest.importorskip("scipy.linalg")
    text = f"def f(x):\n    a = np.array([1.0, -2.0, 0.5])\n    y = {call}\n"
    f = written(f"{text}    return np.sum(y * np.cos(np.arange(1.0, 1 + y.size)).reshape(y.shape))\n", linalg=linalg)  # fmt: skip
    for kind in (float, np.float64, np.array):
        x: Any = kind(1.5)
        expected = pytest.approx((f(kind(1.5 + 1e-6)) - f(kind(1.5 - 1e-6))) / 2e-6, rel=1e-6)
        found = rg.grad(f)(x), rg.jvp(f, (x,), (kind(1.0),))[1], taped(f, x)[1](1.0)
        assert found == (expected,) * 3
        assert np.shape(found[0]) == ()
