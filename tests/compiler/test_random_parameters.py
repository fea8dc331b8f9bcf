"""Draws whose parameters are computed: the numbers that Python draws, and their derivative in the parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.7, 1.3, 2.1])
DRAWS: dict[str, Callable[[Any, Any], Any]] = {
    "normal": lambda r, x: r.normal(x[0], x[1], 4),
    "normal of arrays": lambda r, x: r.normal(x, scale=x[::-1]),
    "normal of a matrix": lambda r, x: r.normal(x[:, None], x),
    "normal by names": lambda r, x: r.normal(scale=x[0], size=(2, len(x))),
    "one normal": lambda r, x: r.normal(x[0], 2.0),
    "uniform": lambda r, x: r.uniform(-x, x[2]),
    "laplace": lambda r, x: r.laplace(x, 2.0, 3),
    "logistic": lambda r, x: r.logistic(x[0], x[1], 3),
    "gumbel": lambda r, x: r.gumbel(0.0, x),
    "lognormal": lambda r, x: r.lognormal(x, 0.1),
    "exponential": lambda r, x: r.exponential(x),
    "rayleigh": lambda r, x: r.rayleigh(x[0], 3),
    "gamma": lambda r, x: r.gamma(2.0, x),
    "several": lambda r, x: r.multivariate_normal(x, np.eye(3), 2),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("maker", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("name", DRAWS)
def test_the_same_draw(name: str, maker: Any) -> None:
    draw = DRAWS[name]

    def f(x: Any) -> Any:
        drawn = draw(maker(3), x)
        return np.sum(drawn * np.cos(drawn)) * x[0]

    value, bar = rg.value_and_grad(f)(X)
    assert value == pytest.approx(f(X), rel=1e-13)
    steps = np.eye(3) * 1e-6
    np.testing.assert_allclose(bar, [(f(X + e) - f(X - e)) / 2e-6 for e in steps], rtol=1e-6)
    rg.check_grads(f, (X,), order=2)


def test_of_the_module() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.random.normal(x, 0.1) * x)

    np.random.seed(4)
    want = np.random.normal(X, 0.1) + X
    np.random.seed(4)
    np.testing.assert_allclose(rg.grad(f)(X), want)


def test_a_shape_has_none() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.random.default_rng(3).gamma(x))

    with pytest.raises(rg.RetrogradError, match="parameters of a random generator"):
        rg.grad(f)(X)
