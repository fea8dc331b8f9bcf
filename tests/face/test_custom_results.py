"""Functions with a derivative of their own that return what they were given: in every mode the derivative is theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import pushed, taped

X = np.array([1.0, 2.0])
W, V, U = np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.array([7.0, 11.0])


@rg.custom_gradient
def reverse(x):
    return x


@reverse.vjp
def reverse_vjp(c, z, x):
    return -c


@rg.custom_gradient
def forward_only(x):
    return x


@forward_only.jvp
def forward_only_jvp(z, x, dx):
    return 3.0 * dx


@rg.custom_gradient
def several(x, y):
    return y, x, y


@several.vjp
def several_vjp(c, z, x, y):
    return 2.0 * c[0] + 3.0 * c[1], 5.0 * c[0] + 7.0 * c[2]


@rg.custom_gradient
def turned(x):
    return x[::-1]


@turned.vjp
def turned_vjp(c, z, x):
    return 10.0 * c[::-1]


@rg.custom_gradient
def twice(x):
    y = 2.0 * x
    return y, y


@twice.vjp
def twice_vjp(c, z, x):
    return 3.0 * c[0]


@rg.custom_gradient
def rounded(x):
    return np.round(x)


@rounded.vjp
def rounded_vjp(c, z, x):
    return c


@rg.custom_gradient(constant=("n",))
def kept(x, n):
    return x


@kept.vjp
def kept_vjp(c, z, x, n):
    return n * c


def through(x):
    return reverse(x)


def of_argument(x):
    return np.sum(reverse(x) ** 2)


def by_jvp(x):
    return np.sum(forward_only(x) ** 2)


def of_tuple(x):
    a, b, c = several(x, 2.0 * x)
    return np.sum(a * W) + np.sum(b * V) + np.sum(c * U)


def of_view(x):
    return np.sum(turned(x) * W)


def of_one_twice(x):
    a, b = twice(x)
    return np.sum(a * W) + np.sum(b * V)


def by_a_helper(x):
    return np.sum(through(x) ** 2)


def in_a_loop(x):
    y = 2.0 * x
    for _ in range(3):
        y = reverse(y)
    return np.sum(y * y)


def in_a_branch(x):
    y = reverse(x) if x[0] > 0 else x
    return np.sum(y * y)


def straight_through(x):
    return np.sum(rounded(x) * x)


def with_a_constant(x):
    return np.sum(kept(x, 4.0) ** 2)


def hooked(x):
    return np.sum(rg.on_gradient(x, lambda c: c * 5.0) ** 2)


def stopped(x):
    return np.sum(rg.stop_gradient(x) * x)


def in_a_list(x):
    parts = [reverse(x), x]
    return np.sum(parts[0] * parts[1])


CASES: list[tuple[Any, Any, Any]] = [  # the gradient, and its derivative along ones
    (of_argument, -2.0 * X, [2.0, 2.0]),
    (by_jvp, 6.0 * X, [18.0, 18.0]),
    (of_tuple, 12.0 * W + 3.0 * V + 14.0 * U, [0.0, 0.0]),
    (of_view, 10.0 * W[::-1], [0.0, 0.0]),
    (of_one_twice, 3.0 * W, [0.0, 0.0]),
    (by_a_helper, -2.0 * X, [2.0, 2.0]),
    (in_a_loop, -8.0 * X, [8.0, 8.0]),
    (in_a_branch, -2.0 * X, [2.0, 2.0]),
    (straight_through, X + np.round(X), [2.0, 2.0]),
    (with_a_constant, 8.0 * X, [32.0, 32.0]),
    (hooked, 10.0 * X, [10.0, 10.0]),
    (stopped, X, [0.0, 0.0]),
    (in_a_list, 0.0 * X, [-2.0, -2.0]),
]
UNITS = np.eye(2)


def by_tangents(f: Any) -> Any:
    return [rg.jvp(f, (X,), (u,))[1] for u in UNITS]


def by_tape_tangents(f: Any) -> Any:
    return [pushed(f, (u,), X)[1] for u in UNITS]


def twice_on_tape(f: Any) -> Any:
    return taped(lambda x: taped(f, x)[1](1.0) @ np.ones(2), X)[1](1.0)


FIRST: list[Callable[[Any], Any]] = [
    lambda f: rg.grad(f)(X), by_tangents, lambda f: taped(f, X)[1](1.0), by_tape_tangents,
]  # fmt: skip
SECOND: list[Callable[[Any], Any]] = [
    lambda f: rg.hvp(f, (X,), np.ones(2)), lambda f: rg.vjp(rg.grad(f), X)[1](np.ones(2))[0],
    twice_on_tape, lambda f: pushed(lambda x: taped(f, x)[1](1.0), (np.ones(2),), X)[1],
]  # fmt: skip


@pytest.mark.parametrize(
    ("f", "gradient", "second"), CASES, ids=lambda f: getattr(f, "__name__", "")
)
def test_the_derivative_is_the_one_that_was_given(f: Any, gradient: Any, second: Any) -> None:
    for k, way in enumerate(FIRST):
        if f is hooked and k in (1, 3):  # no forward mode
            with pytest.raises(rg.RetrogradError, match="forward mode"):
                way(f)
            continue
        np.testing.assert_allclose(way(f), gradient, err_msg=f"way {k}", atol=1e-12)
    for k, way in enumerate(SECOND):
        np.testing.assert_allclose(way(f), second, err_msg=f"second order, way {k}", atol=1e-12)


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_back_ends(backend: str) -> None:
    if backend == "numba":
        pytest.importorskip("numba")
    derivative = rg.grad(of_tuple, backend=backend)
    for _ in range(2):
        np.testing.assert_allclose(derivative(X), 12.0 * W + 3.0 * V + 14.0 * U)


def written(x):
    y = 2.0 * x
    z = reverse(y)
    z[0] = 5.0
    return np.sum(y * z)


def test_a_write_to_what_was_given_back_is_refused() -> None:
    for way in FIRST:
        with pytest.raises(rg.RetrogradError):
            way(written)


class Layer:
    def __call__(self, x: Any) -> Any:
        return reverse(x)


def test_the_tape_follows_calls_to_derivatives_of_their_own() -> None:
    layer = Layer()
    value, pull = taped(lambda x: np.sum(layer(x) ** 2), X)
    assert value == np.sum(X**2)
    np.testing.assert_array_equal(pull(1.0), -2.0 * X)


@rg.finite_differences
def measured(x):
    return x


def test_what_is_measured() -> None:
    f = lambda x: np.sum(measured(x) ** 2)
    np.testing.assert_allclose(taped(f, X)[1](1.0), 2 * X, rtol=1e-8)
    assert pushed(f, (np.ones(2),), X)[1] == pytest.approx(6.0)
    with pytest.raises(rg.RetrogradError, match="no second derivative"):
        twice_on_tape(f)


@rg.custom_gradient(constant=("n",))
def nothing(x, n):
    return x


def test_what_is_missing_is_refused_on_the_tape() -> None:
    with pytest.raises(rg.RetrogradError, match="has no vjp"):
        taped(lambda x: nothing(x, 1.0)[0], X)[1](1.0)
    with pytest.raises(rg.RetrogradError, match="has no jvp"):
        pushed(lambda x: nothing(x, 1.0)[0], (X,), X)
    with pytest.raises(rg.RetrogradError, match="said to be constant"):
        taped(lambda x: kept(X, x)[0], 2.0)[1](1.0)


@rg.custom_gradient
def bent(x):
    return x


@bent.vjp
def bent_vjp(c, z, x):
    return c * c


def test_a_rule_that_is_not_linear_has_no_transpose() -> None:
    np.testing.assert_allclose(taped(lambda x: np.sum(bent(x) * X), X)[1](1.0), X * X)
    with pytest.raises(rg.RetrogradError, match="not linear"):
        pushed(lambda x: np.sum(bent(x)), (X,), X)
