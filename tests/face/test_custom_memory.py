"""Derivatives of the user's own, and hooks, that write to what they are given, or keep it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

X, W = np.array([0.5, 1.25, 0.75]), np.array([1.0, 2.0, 3.0])
KEPT: list[Any] = []


@rg.custom_gradient
def product(x, y):
    return x * y


@product.vjp
def product_vjp(c, z, x, y):
    c *= 2.0
    return c * y / 2, c * x / 2


@rg.custom_gradient
def counted(x, y):
    return x * y


@counted.vjp
def counted_vjp(c, z, x, y):
    c *= len(locals()) / 2  # this is not compiled
    x *= c / 2
    return c * y / 2, x


def gradients(f: Any) -> list[Any]:
    return [rg.grad(f), rg.differentiate(f).grad]


def intact(run: Any) -> Any:
    x, w = X.copy(), W.copy()
    try:
        return run(x, w)
    finally:
        np.testing.assert_array_equal([x, w], [X, W])


def test_a_derivative_that_writes_to_its_arguments() -> None:
    with pytest.raises(MutationError, match="writes to its arguments"):
        intact(rg.grad(lambda x, w: product(x, w) @ w))
    for run in gradients(lambda x, w: counted(x, w) @ w):
        np.testing.assert_allclose(intact(run), W * W)
    given = np.ones(3)
    _, pull = rg.vjp(counted, X, W)
    for _ in range(2):
        np.testing.assert_allclose(pull(given), [W, X])
    np.testing.assert_array_equal(given, 1.0)


def halved(c: Any) -> None:
    c *= 0.5


@pytest.mark.parametrize("hook", [halved, lambda c: np.clip(c, -1.0, 1.0, out=c)])
def test_hooks_look_and_do_not_write(hook: Any) -> None:
    for run in gradients(lambda x, w: np.sum(rg.on_gradient(x, hook) * w)):
        with pytest.raises(ValueError, match="read-only"):
            intact(run)


def test_what_a_hook_keeps_is_its_own() -> None:
    def f(x: Any, w: Any) -> Any:
        z = rg.on_gradient(x * 1.0, KEPT.append) * w
        return np.sum(np.cumsum(z) * z)

    KEPT.clear()
    bar = intact(rg.grad(f))
    kept = KEPT[0].copy()
    bar += 7.0
    intact(rg.grad(f))
    np.testing.assert_array_equal(KEPT[0], kept)
