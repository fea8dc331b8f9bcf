"""``check="first"``: a wrong derivative is found when it is first computed, and later calls cost nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

CALLS: list[Any] = []


@rg.custom_gradient
def scaled(x: Any) -> Any:
    return 3.0 * np.asarray(x)


@scaled.vjp
def scaled_vjp(c, z, x):
    return 2.0 * c  # wrong


@rg.differentiate(check="first")
def wrong(x, y):
    return np.sum(scaled(x) * np.array([1.0, 10.0])) + np.sum(y)


@rg.differentiate(check="first")
def wrong_array(x):
    return scaled(x) * x


@rg.differentiate(check="first", wrt=("x", "y"))
def right(x, y):
    return np.sum(np.sin(x) * y) + np.sum(np.where(x > 0, np.abs(x), 0.0))


@rg.differentiate(check="first")
def at_a_kink(x):
    return np.sum(np.abs(x - 1.0) * np.array([1.0, 2.0]))


X, Y = np.array([0.3, -1.2]), np.array([2.0, 0.5])


@pytest.mark.parametrize("name", ["grad", "value_and_grad"])
def test_the_worst_entry_is_named(name: str) -> None:
    with pytest.raises(rg.GradientMismatch, match=r"`x` is 20 at \(1,\), finite.* 30"):
        getattr(wrong, name)(X, Y)


def test_every_call_fails_until_it_is_right() -> None:
    for _ in range(2):
        with pytest.raises(rg.GradientMismatch):
            wrong.grad(X, Y)


def test_tangents_and_pullbacks() -> None:
    with pytest.raises(rg.GradientMismatch, match="tangent of result 0"):
        wrong_array.jvp((X,), (Y,))
    with pytest.raises(rg.GradientMismatch, match="gradient with respect to `x`"):
        wrong_array.vjp(X)
    with pytest.raises(rg.GradientMismatch):
        wrong_array.jacobian(X)


def test_right_ones_pass() -> None:
    x_bar, y_bar = right.grad(X, Y)
    np.testing.assert_allclose(y_bar, np.sin(X))
    np.testing.assert_allclose(right.hvp((X, Y), (X, Y))[1], np.cos(X) * X)
    assert right.vjp(X, Y)[1](1.0)[1] == pytest.approx(y_bar)
    assert right.jvp((X, Y), (X, None))[1] == pytest.approx(float(x_bar @ X))


def test_a_kink_is_no_verdict() -> None:
    np.testing.assert_allclose(at_a_kink.grad(np.array([1.0, 1.0 + 1e-6])), [0.0, 2.0])


def test_later_calls_do_not_check(monkeypatch: pytest.MonkeyPatch) -> None:
    f = rg.differentiate(check="first")(right.fn)
    f.grad(X, Y)
    monkeypatch.setattr("retrograd.first_call.check_first", lambda *_: CALLS.append(1))
    f.grad(2 * X, Y)
    assert not CALLS
    f.grad(X.astype(np.float32), Y)  # another kind
    assert CALLS


def test_a_function_that_fails_nearby_is_not_judged() -> None:
    @rg.differentiate(check="first")
    def positive(x):
        if x < 1.0:
            raise ValueError("too small")
        return x * x

    with pytest.warns(UserWarning, match="could not be checked: too small"):
        assert positive.grad(1.0) == 2.0


def test_other_words_are_refused() -> None:
    with pytest.raises(rg.RetrogradError, match="check is 'first' or None"):
        rg.differentiate(check="always")(right.fn)
