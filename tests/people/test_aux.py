"""``has_aux`` and ``argnums``: results that are handed on, and JAX's word for ``wrt``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch

X = np.array([0.3, -1.2, 2.0])
TARGET = np.array([1.0, 0.5, -0.5])


def plain(w: Any, y: Any) -> Any:
    r = np.tanh(w) - y
    return np.mean(r**2), {"residual": r, "size": r.size}


def nested(w: Any, y: Any) -> Any:
    return plain(w, y)


def worded(w: Any, y: Any) -> Any:
    value = np.sum(w * w * y)
    return value, f"the value is {float(value):.3f}"


def same_memory(w: Any, y: Any) -> Any:
    e = np.exp(w)
    return np.sum(e) + 0.0 * y[0], (e, e[::-1], w)


def without_rule(w: Any, y: Any) -> Any:
    return np.sum(np.sin(w) * y), np.unique_values(w)


def in_place(w: Any, y: Any) -> Any:
    steps = np.zeros(4)
    total = 0.0
    for k in range(4):
        total = total + np.sum(np.sin(w) * y) * k
        steps[k] = total
    return total, steps


def branching(w: Any, y: Any) -> Any:
    if w[0] > 0:
        return np.sum(w * y), (w.shape, True)
    return np.sum(w), (w.shape, False)


def on_tape(w: Any, y: Any) -> Any:
    total = 0.0
    for name in {"a"}:
        total = total + np.sum(np.sin(w) * y) * len(name)
    return total, {"w": w, "said": "yes"}


class Loss:
    def __init__(self) -> None:
        self.scale = 2.0

    def __call__(self, w: Any, y: Any) -> Any:
        return self.scale * np.sum(w * w * y), self.scale


PROGRAMS: dict[str, Callable[..., Any]] = {
    "a dict": plain, "a call": nested, "a text": worded, "views": same_memory, "no rule": without_rule,
    "written in place": in_place, "branches": branching, "on the tape": on_tape, "an object": Loss(),
}  # fmt: skip


def value_of(f: Any) -> Any:
    return lambda w, y: f(w, y)[0]


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert list(a) == list(b)
        same(tuple(a.values()), tuple(b.values()))
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    else:
        np.testing.assert_array_equal(a, b)


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> Any:
    return PROGRAMS[request.param]


pytestmark = [
    pytest.mark.usefixtures("taped"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]


def test_gradients(program: Any) -> None:
    value, aux = program(X, TARGET)
    slope = rg.grad(value_of(program))(X, TARGET)
    found, beside = rg.grad(program, has_aux=True)(X, TARGET)
    np.testing.assert_allclose(found, slope, rtol=1e-13)
    same(beside, aux)
    (whole, beside), found = rg.value_and_grad(program, has_aux=True)(X, TARGET)
    np.testing.assert_allclose([whole, *found], [value, *slope], rtol=1e-13)
    same(beside, aux)
    both, _ = rg.grad(program, argnums=(0, 1), has_aux=True)(X, TARGET)
    for a, b in zip(both, rg.grad(value_of(program), (0, 1))(X, TARGET), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


def test_products(program: Any) -> None:
    value, aux = program(X, TARGET)
    slope = rg.grad(value_of(program))(X, TARGET)
    whole, pullback, beside = rg.vjp(program, X, TARGET, wrt=0, has_aux=True)
    np.testing.assert_allclose([whole, *pullback(2.0)[0]], [value, *(2.0 * slope)], rtol=1e-13)
    same(beside, aux)
    whole, tangent, beside = rg.jvp(program, (X, TARGET), (X, None), has_aux=True)
    np.testing.assert_allclose([whole, tangent], [value, slope @ X], rtol=1e-13)
    same(beside, aux)
    whole, push, beside = rg.linearize(program, X, TARGET, has_aux=True)
    np.testing.assert_allclose([whole, push(X, 0 * X)], [value, slope @ X], rtol=1e-13)
    same(beside, aux)


def test_columns(program: Any) -> None:
    _, aux = program(X, TARGET)
    found, beside = rg.jacobian(program, has_aux=True)(X, TARGET)
    np.testing.assert_allclose(found, rg.jacobian(value_of(program))(X, TARGET), rtol=1e-13)
    same(beside, aux)
    found, beside = rg.hessian(program, has_aux=True)(X, TARGET)
    wanted = rg.hessian(value_of(program))(X, TARGET)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
    same(beside, aux)


def test_what_is_handed_on_is_the_callers() -> None:
    """No gradient shares memory with it: both may be written to."""
    slope, aux = rg.grad(same_memory, has_aux=True)(X, TARGET)
    assert not any(np.shares_memory(slope, part) for part in aux)


def test_a_jacobian_of_a_vector() -> None:
    def turned(x: Any) -> Any:
        return np.sin(x) * x[0], x.size

    found, size = rg.jacobian(turned, has_aux=True)(X)
    np.testing.assert_allclose(found, rg.jacobian(lambda x: turned(x)[0])(X))
    assert size == 3


def test_derivatives_of_derivatives() -> None:
    slope = rg.grad(worded, has_aux=True)
    found, said = rg.jacobian(slope, has_aux=True)(X, TARGET)
    np.testing.assert_allclose(found, np.diag(2.0 * TARGET))
    assert said == worded(X, TARGET)[1]

    def outer(w: Any) -> Any:
        g, _ = rg.grad(worded, has_aux=True)(w, TARGET)
        return np.sum(g * w)

    np.testing.assert_allclose(rg.grad(outer)(X), 4.0 * X * TARGET)

    def with_argnums(w: Any) -> Any:
        return np.sum(rg.grad(value_of(worded), argnums=1)(w, TARGET))

    np.testing.assert_allclose(rg.grad(with_argnums)(X), 2.0 * X)


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_on_a_back_end(backend: str) -> None:
    (value, aux), slope = rg.value_and_grad(plain, has_aux=True, backend=backend)(X, TARGET)
    np.testing.assert_allclose(slope, rg.grad(value_of(plain))(X, TARGET))
    np.testing.assert_allclose(value, plain(X, TARGET)[0])
    same(aux, plain(X, TARGET)[1])


def test_wrong_aux_is_found() -> None:
    """What is handed on is held against the function, like the value."""
    g = rg.value_and_grad(branching, has_aux=True)
    assert g(X, TARGET)[0][1] == ((3,), True)
    assert g(-X, TARGET)[0][1] == ((3,), False)


@pytest.mark.parametrize(
    "f", [lambda x, y: np.sum(x), lambda x, y: (np.sum(x), 1, 2), lambda x, y: [np.sum(x), 1]]
)
def test_what_is_no_pair_is_refused(f: Any) -> None:
    for ask in (rg.grad, rg.value_and_grad, rg.jacobian, rg.hessian):
        with pytest.raises(rg.RetrogradError, match=r"\(value, aux\)"):
            ask(f, has_aux=True)(X, TARGET)


def test_a_value_that_is_no_scalar_is_refused() -> None:
    with pytest.raises(NotDifferentiable, match="must return a scalar"):
        rg.grad(lambda x: (x, 1.0), has_aux=True)(X)  # type: ignore[arg-type, return-value]


def test_random_numbers_are_drawn_once() -> None:
    def noisy(x: Any, rng: Any) -> Any:
        noise = rng.normal(size=3)
        return np.sum(x * noise), noise

    slope, noise = rg.grad(noisy, has_aux=True)(X, np.random.default_rng(0))
    np.testing.assert_array_equal(slope, noise)
    with pytest.raises(rg.RetrogradError, match="draws random numbers"):
        rg.jacobian(noisy, has_aux=True)(X, np.random.default_rng(0))


def test_argnums_is_wrt() -> None:
    f = value_of(plain)
    assert rg.grad(f, argnums=1) is rg.grad(f, 1)
    for wrt in (0, -1, (1, 0), [0], "y"):
        for ask in (rg.grad, rg.jacobian, rg.hessian):
            a = ask(f, argnums=wrt)(X, TARGET)  # type: ignore[operator]
            b = ask(f, wrt)(X, TARGET)  # type: ignore[operator]
            np.testing.assert_array_equal(np.array(a), np.array(b))
    with pytest.raises(SignatureMismatch, match="two words for one thing"):
        rg.grad(f, 0, argnums=1)


CALLS: list[int] = []


def counted(x: Any) -> Any:
    CALLS.append(1)
    return np.sum(x * x), len(CALLS)


def test_what_leaves_traces_has_no_columns_with_aux() -> None:
    with pytest.raises(NotDifferentiable, match="has_aux=True of counted"):
        rg.jacobian(counted, has_aux=True)(X)
