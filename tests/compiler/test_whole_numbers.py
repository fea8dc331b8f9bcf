"""Conversions to whole numbers, ``np.int64(x)``: steps, which carry no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import is_constant

X = np.array([0.4, 1.7, 2.2])
KINDS = sorted({np.dtype(kind).type for kind in "bBhHiIlLqQ?"}, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_gradients(kind: Any) -> None:
    def f(x: Any) -> Any:
        k = kind(3.0 * x[0])
        return np.sum(kind(x) * x) + x[1] * k + (x[2] if kind(x[0]) else x[0])

    steps = 1e-6 * np.eye(3)
    expected = [(f(X + s) - f(X - s)) / 2e-6 for s in steps]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-6)
    assert is_constant(kind)
