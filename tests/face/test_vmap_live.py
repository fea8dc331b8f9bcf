"""`rg.vmap` of functions whose examples part: loops that go on with those that are not done, and branches side by side."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import BatchWarning, SignatureMismatch, TapeWarning

from .test_vmap import text_for

RNG = np.random.default_rng(0)
U, V = 1.0 + RNG.random(7), 1.0 + 3.0 * RNG.random(7)
ROWS, MATRICES = RNG.normal(size=(7, 3)), 0.3 * RNG.normal(size=(7, 3, 3))


def newton(x: Any, a: Any) -> Any:
    while abs(x * x * x - a) > 1e-12:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


def newton_with_break(x: Any, a: Any) -> Any:
    for _ in range(50):
        step = (x * x * x - a) / (3.0 * x * x)
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


def adaptive(y: Any, rate: Any) -> Any:
    t, h = 0.0, 0.3
    while t < 1.0:
        h = min(h, 1.0 - t)
        slope = -rate * y
        err = abs(0.5 * h * h * rate * slope) + 1e-9
        if err < 1e-2:
            t, y = t + h, y + h * slope
        h = h * min(2.0, max(0.3, 0.9 * np.sqrt(1e-2 / err)))
    return y


def unsafe_branches(x: Any, y: Any) -> Any:
    while x > 0.4:
        if y > 0.5:
            x = np.log(x + 0.5)
            y = y - 0.3
        else:
            x = x / (1.5 + y)
    return x + y


def returns_early(x: Any, y: Any) -> Any:
    for k in range(20):
        x = x * x - 0.9 * y
        if x < -0.5:
            return x * 3.0
        x = np.tanh(x) + 0.05 * k
    return x


def nested(x: Any, y: Any) -> Any:
    total = 0.0
    while x < 10.0:
        z = y
        while z * z > 0.1 * x:
            z = z / 1.7
            total = total + z * x
        x = x * 1.5 + z
    return total + x


def halved(x: Any, limit: Any) -> Any:
    while x > limit:
        x = x / 2.0
    return x


def in_helpers(x: Any, y: Any) -> Any:
    total = 0.0
    for _ in range(2):
        while x > 0.2:
            total = total + halved(x, 0.1 * y)
            x = x * 0.8
        x = x + 1.0
    return total


def writes(x: Any, y: Any) -> Any:
    seen, k = np.zeros(3), 0
    while x > 0.3:
        seen[k % 3] += x * y
        x = x * 0.7
        k += 1
    return np.sum(seen * seen) + seen[k % 3]


def appended(x: Any, y: Any) -> Any:
    found = []
    while x > 0.3:
        found.append(x * y)
        x = x * 0.8
    total = 0.0
    for v in found:
        total = total + v * v
    return total


def counted(x: Any, y: Any) -> Any:
    k, term, total = 0, 1.0, 0.0
    while abs(term) > 1e-8 * y:
        total += term
        k += 1
        term = term * x / k
    return total * k


def fixed_point(b: Any, A: Any) -> Any:
    x = b
    while True:
        new = 0.5 * np.tanh(A @ x) + b
        if np.max(np.abs(new - x)) < 1e-8:
            break
        x = new
    return np.sum(x * x)


PROGRAMS: list[tuple[Callable[..., Any], Any, Any]] = [
    *((f, U, V) for f in (newton, newton_with_break, adaptive, unsafe_branches, returns_early, nested)),
    *((f, U, V) for f in (in_helpers, writes, appended, counted)),
    (fixed_point, ROWS, MATRICES),
]  # fmt: skip
BY_NAME = pytest.mark.parametrize(
    ("f", "x", "y"), PROGRAMS, ids=lambda f: getattr(f, "__name__", "")
)


def alone(f: Any, x: Any, y: Any) -> list[Any]:
    """What each example gives, as columns."""
    rows = [f(a, b) for a, b in zip(x, y, strict=True)]
    return (
        [np.stack(c) for c in zip(*rows, strict=True)]
        if isinstance(rows[0], tuple)
        else [np.stack(rows)]
    )


def close(got: Any, wanted: list[Any]) -> None:
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


@BY_NAME
def test_values(f: Any, x: Any, y: Any) -> None:
    """To the last digit, but where a product of matrices is another one; and no example runs alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = rg.vmap(f)(x, y)
    np.testing.assert_allclose(got, alone(f, x, y)[0], rtol=0 if x.ndim == 1 else 1e-12)
    assert "in range(examples)" not in text_for(rg.vmap(f), x, y)


@BY_NAME
def test_gradients(f: Any, x: Any, y: Any) -> None:
    slope = rg.grad(f, wrt=(0, 1))
    slopes = alone(slope, x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        close(rg.vmap(slope)(x, y), slopes)
        close(rg.grad(lambda x, y: np.sum(rg.vmap(f)(x, y)), wrt=(0, 1))(x, y), slopes)
    tangents = [np.cos(x), np.sin(y)]
    along = sum(
        np.sum((s * t).reshape(len(x), -1), axis=1) for s, t in zip(slopes, tangents, strict=True)
    )
    close([rg.jvp(rg.vmap(f), (x, y), tangents)[1]], [along])


@pytest.mark.parametrize("f", [newton, adaptive, unsafe_branches, nested, appended])
def test_second_derivatives(f: Any) -> None:
    (curves,) = alone(rg.hessian(f), U, V)
    close([rg.vmap(rg.hessian(f))(U, V)], [curves])
    close([rg.hessian(lambda x: np.sum(rg.vmap(f)(x, V)))(U)], [np.diag(curves)])
    (slopes,) = alone(rg.grad(f), U, V)
    close([rg.jacobian(rg.vmap(f))(U, V)], [np.diag(slopes)])


def test_the_text_goes_on_with_those_that_are_not_done() -> None:
    text = text_for(rg.vmap(newton), U, V)
    assert "while len(live) > 0:" in text
    assert "live = live[np.abs(x * x * x - a_2) > 1e-12]" in text
    backwards = text_for(rg.grad(lambda x: np.sum(rg.vmap(newton)(x, V))), U)
    assert "np.add.at" not in backwards and "last_written" not in backwards


def test_nothing_is_computed_of_an_example_that_is_done() -> None:
    def f(x: Any) -> Any:
        while x > 0.0:
            x = np.log(x) - 0.1 / x
        return x

    x = np.array([-1.0, 0.5, 3.0, 20.0])
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(rg.vmap(f)(x), [f(a) for a in x])


def test_no_example_and_one() -> None:
    assert rg.vmap(newton)(U[:0], V[:0]).shape == (0,)
    np.testing.assert_array_equal(rg.vmap(newton)(U[:1], V[:1]), [newton(U[0], V[0])])
    done = np.cbrt(V)
    np.testing.assert_array_equal(rg.vmap(newton)(done, V), alone(newton, done, V)[0])


def test_a_branch_takes_the_examples_of_each_side() -> None:
    def f(x: Any) -> Any:
        if x > 1.0:
            return np.sqrt(x - 1.0)
        if x > 0.5:
            return 1.0 / (x - 0.4)
        return np.log(x)

    x = np.array([0.2, 0.7, 1.5, 3.0, 0.6])
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(rg.vmap(f)(x), [f(a) for a in x])
    close([rg.vmap(rg.grad(f))(x)], [np.array([rg.grad(f)(a) for a in x])])
    text = text_for(rg.vmap(f), x)
    assert "np.flatnonzero" in text and "range(" not in text


def test_what_an_order_shows_runs_for_one_after_the_other(capsys: Any) -> None:
    def f(x: Any) -> Any:
        while x > 1.0:
            print(f"{x:.1f}")
            x = x / 2.0
        return x

    x = np.array([3.0, 0.5, 5.0])
    rg.vmap(f, check=None)(x)
    assert capsys.readouterr().out.split() == ["3.0", "1.5", "5.0", "2.5", "1.2"]
    assert "in range(examples)" in text_for(rg.vmap(f, check=None), x)


def test_whole_numbers_that_grow_are_not_kept_in_an_array() -> None:
    def f(x: Any) -> Any:
        n = 3 if x > 0.5 else 2
        while n < 10**25:
            n = n * n
        return x * float(n % 1000)

    x = np.array([0.2, 0.7])
    np.testing.assert_array_equal(rg.vmap(f)(x), [f(a) for a in x])


def test_sizes_that_an_iteration_needs_equal() -> None:
    def f(x: Any, A: Any) -> Any:
        while np.sum(x * x) > 1e-3:
            x = A @ x
        return np.sum(x)

    np.testing.assert_allclose(rg.vmap(f)(ROWS, MATRICES), alone(f, ROWS, MATRICES)[0], rtol=1e-12)
    with pytest.raises((SignatureMismatch, ValueError)):
        rg.vmap(f)(ROWS, MATRICES[:, :2])


@rg.custom_gradient
def product(x: Any, y: Any) -> Any:
    return np.sum(x * y)


@product.vjp
def product_vjp(c: Any, z: Any, x: Any, y: Any) -> Any:
    return c * y, c * x


def test_a_derivative_of_its_own_is_that_of_each_example() -> None:
    def f(x: Any) -> Any:
        return product(x, np.sin(x)) * x

    x = RNG.normal(size=(3, 3))  # as many examples as entries
    with warnings.catch_warnings():
        warnings.simplefilter("error", TapeWarning)
        got = rg.jacobian(rg.vmap(f))(x)
    for k, row in enumerate(x):
        np.testing.assert_allclose(got[k, :, k], rg.jacobian(f)(row), rtol=1e-12)
        assert not np.any(np.delete(got[k], k, axis=1))


LISTS: list[Callable[..., Any]] = [
    lambda y: np.array([v * v for v in y]),
    lambda y: np.sum(np.array([y[0] * k for k in range(3)])) + max(y[0], y[1], 0.3),
    lambda y: np.array([y * k for k in range(3)]) @ y,
    lambda y: np.vstack([v * y for v in y]),
]


@pytest.mark.parametrize("f", LISTS, ids=range(len(LISTS)))
def test_lists_that_are_as_long_in_each_example(f: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BatchWarning)
        np.testing.assert_allclose(rg.vmap(f)(ROWS), [f(y) for y in ROWS], rtol=1e-12)
    assert "in range(examples)" not in text_for(rg.vmap(f), ROWS)
