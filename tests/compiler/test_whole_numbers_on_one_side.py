"""Arrays of whole numbers on one side of a branch or at the beginning of a loop: their zeros hold fractions."""

from typing import Any

import numpy as np
import pytest

import retrograd as rg


def written(x: Any) -> Any:
    y = (np.arange(len(x)) if x[0] > 0.5 else x) / 2
    y[0] = x[0] ** 2
    return np.sum(y**2)


def sliced(x: Any) -> Any:
    y = np.zeros(3, int)
    if x[0] < 0.5:
        y = x * 2
    return np.sum(y[1:] * x[1:])


def item(x: Any) -> Any:
    y = np.arange(3) if x[0] > 0.5 else x**2
    return y[1] * x[0] + y[2]


def masked(x: Any) -> Any:
    y = np.arange(3) if x[0] > 0.5 else x
    return np.sum(y[x > 0.5] * x[x > 0.5])


def updated(x: Any) -> Any:
    y = np.arange(3) if x[0] > 0.5 else x
    y = y * 1.0
    y[1:] += x[1:] ** 2
    return np.sum(y**2)


def looped(x: Any) -> Any:
    y = np.zeros(len(x), int)
    for i in range(3):
        if x[i] > 0.5:
            y = x * y
        y = y / 2
        y[i] = x[i]
    return np.sum(y**2)


def gone_over(x: Any) -> Any:
    y = np.ones(3, int)
    for i in range(3):
        y = y * x if x[i] > 0.9 else y
    return np.sum(y[1:] * x[1:])


FORMS = [written, sliced, item, masked, updated, looped, gone_over]


@pytest.mark.parametrize("x0", [0.3, 0.8])
@pytest.mark.parametrize("f", FORMS, ids=lambda f: f.__name__)
def test_whole_numbers_on_one_side(f: Any, x0: float) -> None:
    x, v, h = np.array([x0, 0.7, 1.2]), np.array([0.4, -0.2, 0.9]), 1e-6
    grad = rg.grad(f, strict=True)
    slope = (f(x + h * v) - f(x - h * v)) / (2 * h)
    assert rg.jvp(f, (x,), (v,), strict=True)[1] == pytest.approx(slope, rel=1e-6)
    assert grad(x) @ v == pytest.approx(slope, rel=1e-6)
    second = (grad(x + h * v) - grad(x - h * v)) / (2 * h)
    np.testing.assert_allclose(rg.hvp(f, (x,), v, strict=True), second, rtol=1e-5, atol=1e-8)
