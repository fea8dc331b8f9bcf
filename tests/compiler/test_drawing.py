"""Random numbers inside a function: drawn once, in the function's order, and constants to its derivative."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError, UnsupportedOperation

PASSED = np.random.default_rng(0)
OLD = np.random.RandomState(1)
draw = PASSED.normal
X = np.array([0.3, -0.5, 0.8, 0.2])
V = np.array([1.0, 0.5, -0.3, 0.7])


def of_the_module(x: Any) -> Any:
    return np.mean(np.exp(-((x + np.random.normal(size=(3, 4))) ** 2)) * np.random.rand(3, 4))


def made_here(x: Any) -> Any:
    rng = np.random.default_rng(0)
    total = 0.0
    for k in range(5):
        total = total + np.sum((x + 0.5 * rng.normal(size=4)) ** 3) / (k + 1)
    return total + np.sum(x * np.random.default_rng(0).standard_normal((3, 4)))


def of_the_old_kind(x: Any) -> Any:
    old = np.random.RandomState(0)
    noise, places, order = old.randn(3, 4), old.randint(0, 4, size=2), old.permutation(4)
    return np.mean(np.exp(-((x[order] + noise) ** 2))) + x[places].sum()


def branches_on_it(x: Any) -> Any:
    s = 0.0
    for _ in range(4):
        if PASSED.random() > 0.5:
            s = s + np.sum(x) * PASSED.uniform(1, 2)
        else:
            s = s * OLD.random_sample() + np.sum(x**2)
    while s < 20:
        s = s * (1 + PASSED.random()) + 1
    return s


def noise(rng: Any, k: int) -> Any:
    return rng.random() * k


def in_a_callee(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        s = s + np.sin(x[0] * noise(PASSED, k)) * noise(PASSED, k)
    return s


def written_to(x: Any) -> Any:
    h = np.tanh(x)
    h = h * (PASSED.random(h.shape) < 0.5) / 0.5
    noise = PASSED.normal(size=4)
    noise[1] = x[0]
    noise[2:] *= x[1]
    chosen = PASSED.choice(4, size=2, replace=False)
    return np.sum(h**2) + x[chosen].sum() + np.sum(noise * x)


class Net:
    def __init__(self, w: Any, rng: Any) -> None:
        self.w, self.rng = w, rng

    def forward(self, x: Any) -> Any:
        return self.w * x + self.rng.normal(0, 0.1, size=x.shape)


def in_an_object(x: Any) -> Any:
    first, second = Net(x * 2, PASSED), Net(x, np.random.default_rng(3))
    return np.sum(first.forward(x) ** 2) + np.sum(second.forward(x) ** 3) + x[0] * draw()


def in_comprehensions(x: Any) -> Any:
    xs = [PASSED.random() * v for v in x]
    ys = [random.random() for _ in range(3)]
    return sum(v**2 for v in xs) + sum(ys) * x[0]


def order_of_a_loop(x: Any) -> Any:
    z = np.zeros(4)
    for i in PASSED.permutation(4):
        z[i] = x[i] * z.sum() + x[i]
    return z.sum() * PASSED.poisson(3.0)


def seeded_anew(x: Any) -> Any:
    np.random.seed(4)
    return np.sum(x**2 * np.random.uniform(0, 1, 4)) + np.random.random() * x[0]


PROGRAMS = (
    of_the_module, made_here, of_the_old_kind, branches_on_it, in_a_callee, written_to, in_an_object,
    in_comprehensions, order_of_a_loop, seeded_anew,
)  # fmt: skip


def restart() -> None:
    PASSED.bit_generator.state = STATES[0]
    OLD.set_state(STATES[1])
    np.random.seed(7)
    random.seed(7)


def ends() -> tuple[float, ...]:
    return PASSED.random(), OLD.rand(), np.random.rand(), random.random()


STATES = PASSED.bit_generator.state, OLD.get_state()


def from_the_start(f: Callable[..., Any], *args: Any) -> tuple[Any, tuple[float, ...]]:
    restart()
    return f(*args), ends()


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_numbers_are_those_of_the_function(f: Callable[..., Any]) -> None:
    value, after = from_the_start(f, X)
    gradient = rg.grad(f)
    for made in (rg.value_and_grad(f), lambda x: rg.jvp(f, (x,), (V,))):
        (same, slope), still = from_the_start(made, X)
        assert same == pytest.approx(value, rel=1e-14)
        assert still == after  # as many were drawn, in the same order
        slope = slope if np.ndim(slope) == 0 else slope @ V
        ahead, back = (from_the_start(f, X + h * V)[0] for h in (1e-5, -1e-5))
        assert slope == pytest.approx((ahead - back) / 2e-5, rel=1e-5, abs=1e-7)
    second, still = from_the_start(lambda x: rg.hvp(f, (x,), V), X)
    assert still == after
    ahead, back = (from_the_start(gradient, X + h * V)[0] for h in (1e-5, -1e-5))
    np.testing.assert_allclose(second, (ahead - back) / 2e-5, rtol=1e-4, atol=1e-5)


def passed(x: Any, rng: Any) -> Any:
    return np.sin(x * rng.normal(size=4)) * rng.random()


def test_a_generator_that_is_passed() -> None:
    def loss(x: Any, rng: Any) -> Any:
        return np.sum(passed(x, rng))

    found = rg.grad(loss)(X, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    factor = rng.normal(size=4)
    np.testing.assert_allclose(found, np.cos(X * factor) * factor * rng.random())


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_compiled_back_ends_draw_with_numpy(backend: str) -> None:
    def total(x: Any, rng: Any) -> Any:
        s, noise = 0.0, rng.normal(size=5)
        for i in range(5):
            s = s + np.sin(x * i) * noise[i]
        return s * rng.random()

    if backend == "numba":
        pytest.importorskip("numba")
    want = rg.grad(total)(0.3, np.random.default_rng(1))
    made = rg.grad(total, backend=backend)(0.3, np.random.default_rng(1))
    assert made == pytest.approx(want, rel=1e-12)


def shuffled(x: Any) -> Any:
    y = x * 2
    PASSED.shuffle(y)
    return np.sum(y * x)


def filled(x: Any) -> Any:
    y = x * 2
    PASSED.random(out=y)
    return np.sum(y * x)


@pytest.mark.parametrize(
    ("f", "error", "text"),
    [
        (shuffled, MutationError, "rng.permutation"),
        (filled, MutationError, "writes random numbers into an array"),
    ],
)
def test_what_is_refused_says_what_to_write(f: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        rg.grad(f)(X)
    assert text in str(caught.value)


def test_a_loop_that_runs_again_does_not_draw() -> None:
    def steps(x: Any, rng: Any) -> Any:
        for _ in rg.checkpointed(range(10), snapshots=3):
            x = np.sin(x) * rng.random()
        return x

    with pytest.raises(UnsupportedOperation, match="run again on the way back"):
        rg.grad(steps)(0.5, PASSED)


def repeatable(x: Any) -> Any:
    return np.sin(x * np.random.default_rng(2).normal(size=4))


def test_a_jacobian_is_made_in_several_runs() -> None:
    for mode in ("forward", "reverse"):
        with pytest.raises(
            UnsupportedOperation, match="a Jacobian calls the function several times"
        ):
            rg.jacobian(passed, mode=mode)(X, np.random.default_rng(5))
    with pytest.raises(UnsupportedOperation, match="calls the function several times"):
        rg.hessian(made_with_passed)(X)
    factor = np.random.default_rng(2).normal(size=4)
    np.testing.assert_allclose(rg.jacobian(repeatable)(X), np.diag(np.cos(X * factor) * factor))


def through_another(x: Any) -> Any:
    return np.sin(x * np.random.default_rng(PASSED).normal(size=4))


def by_chance(x: Any) -> Any:
    return np.sin(x * np.random.default_rng(None).normal(size=4))


@pytest.mark.parametrize("f", [through_another, by_chance])
def test_a_generator_that_does_not_start_anew(f: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedOperation, match="calls the function several times"):
        rg.jacobian(f)(X)


def in_single_precision(x: Any) -> Any:
    rng = np.random.default_rng(2)
    noise = rng.random(4, np.float32)
    noise[1:] += rng.standard_normal(3, dtype=np.float32)
    return np.sum(x * noise) * rng.integers(1, 5, 2, np.int32)[0]


def test_a_dtype_by_position() -> None:
    assert rg.grad(in_single_precision)(X.astype(np.float32)).dtype == np.float32
    slope = (in_single_precision(X + V) - in_single_precision(X)) / (
        V @ rg.grad(in_single_precision)(X)
    )
    assert slope == pytest.approx(1, rel=1e-6)


def made_with_passed(x: Any) -> Any:
    return np.sum(passed(x, PASSED))
