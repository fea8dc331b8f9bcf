"""``alias="check"``: what may share memory is looked at when it runs; never a wrong gradient."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError, SignatureMismatch

TABLE = {1: 1.0}


def chosen(x: Any) -> Any:
    y = np.exp(x)
    z = y if x[0] > 0 else x * 2
    y += 1
    return np.sum(z * y)


def in_a_loop(x: Any) -> Any:
    y = np.exp(x)
    z = y if x[0] > 0 else x * 2
    for k in range(3):
        y[k] = y[k] * z[k] + z[k - 1]
    return np.sum(z * y)


def chosen_in_a_loop(x: Any) -> Any:
    y, total = np.exp(x), 0.0
    for k in range(3):
        z = y if x[k] > 0.35 else x * y[k]
        y[k] = 2.0 * z[0]
        total = total + np.sum(z)
    return total + np.sum(y)


def either(a: Any, b: Any, first: Any) -> Any:
    return a if first else b


def by_a_helper(x: Any) -> Any:
    y = np.sin(x)
    z = either(y, x + 1.0, x[0] > 0)
    y[1:] = z[:-1] * 3.0
    return np.sum(z * y)


def opaque(x: Any) -> Any:
    table = {k: x * k for k in set(TABLE)}
    return x[::-1] if x[0] > 0 else table[1]


def around(x: Any) -> Any:
    return opaque(x)


def by_the_tape(x: Any) -> Any:
    y = x * 3.0
    z = opaque(y)
    y[0] = 5.0
    return np.sum(z * y)


def by_the_tape_in_a_helper(x: Any) -> Any:
    y = x * 3.0
    z = around(y)
    y[0] = 5.0
    return np.sum(z * y)


def rows(x: Any) -> Any:
    a = np.outer(x, x)
    r = a[np.array([0, 1]) if x[0] > 0 else slice(0, 2)]
    a[0] = x * x
    return np.sum(r * a[:2])


def reshaped(x: Any) -> Any:
    y = np.asarray(x).copy()
    z = y.reshape(-1)
    z[0] = z[1] * 3.0
    return np.sum(y * x)


PROGRAMS = [
    chosen, in_a_loop, chosen_in_a_loop, by_a_helper, by_the_tape, by_the_tape_in_a_helper, rows, reshaped,
]  # fmt: skip
POINTS = [
    np.array([0.3, 0.4, 0.5]), np.array([-0.3, 0.2, 0.5]), np.array([-0.3, 0.9, -0.5]),
    np.array([-0.3, 0.2, 0.1]),
]  # fmt: skip


def differences(f: Any, x: Any) -> Any:
    return np.array([(f(x + e) - f(x - e)) / 2e-6 for e in np.eye(3) * 1e-6])


@pytest.mark.parametrize("f", PROGRAMS)
def test_right_or_an_error(f: Any) -> None:
    checked = rg.differentiate(alias="check")(f)
    right = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for x in POINTS:
            want = differences(f, x)
            for derivative in (checked.grad, lambda v: forward(checked, v)):
                got = attempt(derivative, x)
                if got is not None:
                    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
                    right += 1
    assert right, "none of the points runs"


def attempt(derivative: Any, x: Any) -> Any:
    try:
        return derivative(x.copy())
    except MutationError:
        return None


def forward(f: Any, x: Any) -> Any:
    return np.array([f.jvp((x.copy(),), (e,))[1] for e in np.eye(3)])


def test_without_the_option_it_is_refused() -> None:
    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.differentiate(strict=True)(by_a_helper).grad(POINTS[1])
    assert rg.differentiate(strict=True, alias="check")(by_a_helper).grad(POINTS[1]).shape == (3,)


def test_what_a_condition_tells_needs_no_option() -> None:
    for f in (chosen, in_a_loop, chosen_in_a_loop):
        for x in POINTS:
            np.testing.assert_allclose(rg.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)


def test_what_is_shared_is_named() -> None:
    with pytest.raises(
        MutationError, match=r"`z` shares the memory of `y`, and line \d+ writes to it"
    ):
        rg.differentiate(strict=True, alias="check")(by_a_helper).grad(POINTS[0])


def test_a_reshaped_array_that_is_a_copy() -> None:
    def first(y: Any, x: Any) -> Any:
        z = y.reshape(-1)
        z[0] = 3.0 * x[0]
        return np.sum(y * x)

    checked = rg.differentiate(strict=True, alias="check", wrt="x")(first)
    x = POINTS[0]
    for y in (np.ones((2, 3)), np.ones((4, 3))[::2], np.ones((3, 2)).T.copy()):
        want = differences(lambda v, y=y: first(y.copy(), v), x)
        np.testing.assert_allclose(checked.grad(y.copy(), x), want, rtol=1e-8)
    with pytest.raises(MutationError, match="`z` is a copy, and no view, of `y`"):
        checked.grad(np.ones((3, 2)).T, x)


def test_checks_stand_only_where_something_is_written_to() -> None:
    def quiet(x: Any) -> Any:
        y = np.exp(x)
        z = y if x[0] > 0 else x * 2
        return np.sum(z.reshape(-1) * y)

    text = rg.differentiate(strict=True, alias="check")(quiet).source("grad", POINTS[0])
    assert "rt.check" not in text
    assert text == rg.differentiate(strict=True)(quiet).source("grad", POINTS[0])


def test_second_order() -> None:
    checked = rg.differentiate(strict=True, alias="check")(in_a_loop)
    rg.check_grads(checked, (POINTS[1],), order=3)


def test_the_option_has_one_value() -> None:
    with pytest.raises(SignatureMismatch, match='alias is "check" or None'):
        rg.differentiate(alias="guess")(chosen)
