"""``@rg.finite_differences``: a function that nobody can differentiate, measured where it is asked for."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, RuleError, UnsupportedOperation
from retrograd.runtime.user.finite_differences import difference_pull, difference_push

CALLS: list[int] = []


@rg.finite_differences(constant=("n",))
def black(x: Any, k: Any, n: Any) -> Any:
    """Through texts, where nobody can follow."""
    CALLS.append(1)
    numbers = [json.loads(json.dumps({"v": float(v)}))["v"] ** n for v in np.ravel(x)]
    return np.reshape(numbers, np.shape(x)) * float(repr(float(k)))


@rg.finite_differences
def alone(x: Any) -> Any:
    return float(repr(float(x))) ** 3


def model(x: Any, k: Any) -> Any:
    y = np.sin(x)
    for _ in range(2):
        y = y + black(y, k, 2) * x
    return np.sum(y) * alone(k)


def known(x: Any, k: Any) -> Any:
    y = np.sin(x)
    for _ in range(2):
        y = y + y**2 * k * x
    return np.sum(y) * k**3


X = np.array([[0.3, 0.5], [0.7, 1.1]])


def test_both_modes() -> None:
    strict = rg.differentiate(strict=True)(model)
    value, bars = rg.value_and_grad(strict, ("x", "k"))(X, 1.3)
    assert value == model(X, 1.3)
    want = rg.grad(known, ("x", "k"))(X, 1.3)
    np.testing.assert_allclose(bars[0], want[0], rtol=1e-8)
    np.testing.assert_allclose(bars[1], want[1], rtol=1e-8)
    assert type(bars[1]) is float
    _, dot = rg.jvp(strict, (X, 1.3), (X, 1.0))
    np.testing.assert_allclose(dot, rg.jvp(known, (X, 1.3), (X, 1.0))[1], rtol=1e-8)
    assert rg.grad(alone)(2.0) == pytest.approx(12.0, rel=1e-9)


def test_only_what_is_asked_for_is_measured() -> None:
    derivative = rg.grad(lambda x, k: np.sum(black(x, k, 2)), "k")
    derivative(X, 1.3)
    CALLS.clear()
    assert derivative(X, 1.3) == pytest.approx(np.sum(X**2), rel=1e-9)
    assert len(CALLS) <= 3


def test_the_second_derivative_is_refused() -> None:
    with pytest.raises(UnsupportedOperation, match="difference_p"):
        rg.hessian(rg.differentiate(strict=True)(model))(X, 1.3)


def test_kinds_of_arguments() -> None:
    cube = rg.grad(lambda x: np.sum(black(x, 1.0, 3)))
    single = np.array([0.5, 1.5], np.float32)
    assert cube(single).dtype == np.float32
    np.testing.assert_allclose(cube(single), 3 * single**2, rtol=2e-3)
    with pytest.raises(NotDifferentiable, match="complex128"):
        difference_pull(lambda x: x * x, (np.array([1j]),), np.ones(1), (0,), 0.0)
    assert difference_push(lambda x: x * x, (3.0,), (0.0,), (0,), 0.0) == 0.0
    np.testing.assert_allclose(
        difference_push(lambda x, y: x * y, (1e6, 2.0), (1.0, 1e-3), (0, 1), 0.0), 1002.0, rtol=1e-8
    )


def test_steps() -> None:
    @rg.finite_differences(step=1e-3)
    def rough(x: Any) -> Any:
        return round(float(repr(float(x))) ** 2, 6)

    assert rg.grad(rough)(2.0) == pytest.approx(4.0, rel=1e-3)
    with pytest.raises(RuleError, match="between 0 and 1"):
        rg.finite_differences(step=2.0)(lambda x: x)
    with pytest.raises(RuleError, match="has no argument `m`"):
        rg.finite_differences(constant=("m",))(lambda x: x)


def test_containers_are_refused() -> None:
    @rg.finite_differences
    def summed(p: Any) -> Any:
        return float(repr(p["a"] + p["b"]))

    with pytest.raises(rg.RetrogradError, match="container"):
        rg.grad(lambda x: summed({"a": x, "b": 1.0}))(2.0)
