"""Each function of the face once, on a cube: is it there, and is its number right?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.quick
X, V = np.array([1.0, 2.0]), np.array([1.0, -1.0])


def cubes(x: Any) -> Any:
    return np.sum(x**3)


@rg.differentiate
def decorated(x: Any) -> Any:
    return np.sum(x**3)


@rg.checkpoint
def kept_small(x: Any) -> Any:
    return np.sum(x**3)


@rg.custom_gradient
def own(x: Any) -> Any:
    return np.sum(x)


@own.vjp
def own_vjp(c: Any, z: Any, x: Any) -> Any:
    return c * 3 * x**2


def hooked(x: Any) -> Any:
    return np.sum(rg.on_gradient(x, lambda c: 2 * c) ** 3)


def triple(x: Any) -> Any:
    return 3.0 * x


def by_a_rule() -> Any:
    """It enters the book when it is called, not where the tests of the book would find it."""

    def triple_rule(z: Any, x: Any, *, dx: Any) -> Any:
        return 3.0 * dx

    rg.rule(triple)(triple_rule)
    return rg.grad(lambda x: np.sum(triple(x)))(X)


def eager_gradient() -> Any:
    x = rg.tensor(X.tolist(), requires_grad=True)
    (x**3).sum().backward()
    return x.grad.tolist()


FIRST, SECOND = 3 * X**2, np.diag(6 * X)
SMOKE: dict[str, tuple[Callable[[], Any], Any]] = {
    "grad": (lambda: rg.grad(cubes)(X), FIRST),
    "value_and_grad": (lambda: rg.value_and_grad(cubes)(X)[1], FIRST),
    "vjp": (lambda: rg.vjp(cubes, X)[1](1.0)[0], FIRST),
    "jvp": (lambda: rg.jvp(cubes, (X,), (V,))[1], FIRST @ V),
    "linearize": (lambda: rg.linearize(cubes, X)[1](V), FIRST @ V),
    "hvp": (lambda: rg.hvp(cubes, (X,), V), SECOND @ V),
    "jacobian": (lambda: rg.jacobian(lambda x: x**3)(X), np.diag(FIRST)),
    "hessian": (lambda: rg.hessian(cubes)(X), SECOND),
    "differentiate": (lambda: decorated.grad(X), FIRST),
    "check_grads": (lambda: rg.check_grads(cubes, (X,)) or 0.0, 0.0),
    "stop_gradient": (lambda: rg.grad(lambda x: np.sum(rg.stop_gradient(x) * x))(X), X),
    "checkpoint": (lambda: rg.grad(kept_small)(X), FIRST),
    "custom_gradient": (lambda: rg.grad(own)(X), FIRST),
    "on_gradient": (lambda: rg.grad(hooked)(X), 2 * FIRST),
    "rule": (by_a_rule, [3.0, 3.0]),
    "fixed_point": (
        lambda: rg.grad(lambda a: rg.fixed_point(lambda z, a: 0.5 * z + a, 0.0, a))(1.0),
        2.0,
    ),
    "root": (lambda: rg.grad(lambda a: rg.root(lambda z, a: z * z - a, 1.0, a))(4.0), 0.25),
    "argmin": (
        lambda: rg.grad(lambda a: rg.argmin(lambda z, a: (z - 3.0 * a) ** 2, 0.0, a))(1.0),
        3.0,
    ),
    "linear_solve": (
        lambda: rg.grad(lambda b: np.sum(rg.linear_solve(lambda v, a: a * v, b, 4.0)))(X),
        [0.25, 0.25],
    ),
    "eager": (eager_gradient, FIRST),
}


@pytest.mark.parametrize("name", SMOKE)
def test_it_is_there_and_right(name: str, unchecked: None) -> None:
    found, wanted = SMOKE[name]
    np.testing.assert_allclose(found(), wanted, rtol=1e-6, atol=1e-6)
