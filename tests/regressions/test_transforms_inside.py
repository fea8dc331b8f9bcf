"""A transform that is called inside a differentiated function compiles, as one that is made outside does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def cubes(x: Any) -> Any:
    return np.sum(x**3)


slope = rg.grad(cubes)


def inside(x: Any) -> Any:
    y = rg.grad(cubes)(x)
    return np.sum(y * y)


def outside(x: Any) -> Any:
    y = slope(x)
    return np.sum(y * y)


@pytest.mark.parametrize("f", [inside, outside])
def test_a_derivative_inside_compiles(f: Callable[[Any], Any]) -> None:
    x = np.array([1.0, -2.0])
    np.testing.assert_allclose(rg.grad(f, strict=True)(x), 36 * x**3)
