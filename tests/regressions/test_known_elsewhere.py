"""Programs that other systems differentiate wrongly without a word: right here, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, RetrogradError

X = np.array([0.7, 1.3, 0.4, 2.1])
k = 3.0
RATE = 2.0


def broadcast_divide(x):
    return np.sum((x / np.sum(x) * x) ** 2)


def normalised_rows(x):
    a = np.outer(x, x + 1.0)
    return np.sum(a / a.sum(axis=1, keepdims=True) * a)


def repeated_read(x):
    return np.sum(x[[0, 0, 2]] ** 2) + np.sum(x[np.array([[3, 3], [0, 1]])] * 2.0)


def repeated_write(x):
    y = np.zeros(3)
    y[[0, 2, 0, 1]] = x
    return np.sum(y**2)


def repeated_increment(x):
    y = x.copy()
    y[[1, 1, 2]] += x[:3]
    return np.sum(y**2)


def unbuffered_increment(x):
    y = x.copy()
    np.add.at(y, [1, 1, 2], x[:3])
    return np.sum(y**2)


def alias_then_increment(x):
    y = x * 1.0
    w = y
    y += x**2
    return np.sum(w * y)


def number_alias_then_increment(x):
    s = x[0] * 1.0
    w = s
    s += x[1]
    return w * s


def overlapping_write(x):
    y = x.copy()
    y[1:] = y[:-1] * y[1:]
    return np.sum(y)


def overlapping_increment(x):
    y = x.copy()
    y[:-1] += y[1:] * y[:-1]
    y[1:] -= y[:-1]
    return np.sum(y**2)


def rows_swapped_through_views(x):
    a = np.outer(x, x)
    a[0], a[1] = a[1], a[0]
    return np.sum(a * np.arange(4.0))


def closure_against_global(x):
    k = x[0] * 2.0

    def scaled(v):
        return k * v

    return np.sum(scaled(x))


def scaled_by_the_global(v):
    return k * v


def global_against_local(x):
    k = 100.0
    return np.sum(scaled_by_the_global(x)) + 0.0 * k


def awkward_names(x):
    d = x * 2.0
    np_bar = np.sum(d * x)
    x_bar = np_bar * d[0]
    rt = x_bar + x[1]
    result_bar, tape, dx = rt * 2.0, x[2], d[3]
    return result_bar * tape + dx * np_bar


def exponent(x):
    return np.sum(x ** (x + 1.0)) + np.sum(2.0**x)


def loop_variable_afterwards(x):
    s = 0.0
    for i in range(3):
        v = x[i] * x[i + 1]
        s = s + v * i
    return s * v + x[i]


def overwritten_loop_variable(x):
    s = 0.0
    for i in range(3):
        s = s + x[i]
        i = i + 1
        s = s * x[i]
    return s + x[i] ** 2


def active_bound(x):
    s, n = 0.0, int(3 * x[0])
    for i in range(n):
        s = s + x[i] * x[0]
    return s


def active_while(x):
    s = x[0]
    while s < 3.0:
        s = s * x[1] + x[2]
    return s


def bound_in_one_branch(x):
    if x[0] > 0:
        y = x * 2.0
    return np.sum(y * x)


def bound_in_an_earlier_round(x):
    s = 0.0
    for i in range(4):
        if i > 0:
            s = s + last * x[i]  # noqa: F821  (bound in the round before)
        last = x[i] ** 2  # noqa: F841
    return s


def maximum_of_ties(x):
    y = np.stack([x, x])
    return np.sum(np.max(y, axis=0) ** 2)


def shared_result(x):
    y = x * 1.0
    return np.sum(y + y * y) * np.sum(y)


def early_return(x):
    for i in range(4):
        if x[i] > 1.0:
            return x[i] ** 2
    return x[0]


def power_of_zero(x):
    return np.sum((x * 0.0) ** 2 + (x - x) ** 1.0)


PROGRAMS = [
    broadcast_divide, normalised_rows, repeated_read, repeated_write, repeated_increment,
    unbuffered_increment, alias_then_increment, number_alias_then_increment, overlapping_write,
    overlapping_increment, rows_swapped_through_views, closure_against_global, global_against_local,
    awkward_names, exponent, loop_variable_afterwards, overwritten_loop_variable, active_bound, active_while,
    shared_result, early_return, power_of_zero,
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_right_to_second_order(f: Callable[..., Any]) -> None:
    value, bar = rg.value_and_grad(f)(X)
    assert value == f(X)
    step = 1e-6
    numeric = [(f(X + step * e) - f(X - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(bar, numeric, rtol=1e-5, atol=1e-6)
    rg.check_grads(f, (X,), order=2)


def test_ties_share() -> None:
    np.testing.assert_allclose(rg.grad(maximum_of_ties)(X), 2 * X)


@pytest.mark.parametrize("f", [bound_in_one_branch, bound_in_an_earlier_round])
def test_a_name_bound_on_some_paths_is_refused_or_right(f: Callable[..., Any]) -> None:
    step = 1e-6
    numeric = [(f(X + step * e) - f(X - step * e)) / (2 * step) for e in np.eye(4)]
    try:
        bar = rg.grad(f)(X)
    except RetrogradError:
        bar = numeric  # refused
    np.testing.assert_allclose(bar, numeric, rtol=1e-5)


def test_a_global_changed_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return np.sum(RATE * x**2)

    gradient = rg.grad(f)
    np.testing.assert_allclose(gradient(X), 4 * X)
    monkeypatch.setitem(globals(), "RATE", 5.0)
    np.testing.assert_allclose(gradient(X), 10 * X)


def test_integers_are_not_differentiated() -> None:
    with pytest.raises(NotDifferentiable):
        rg.grad(broadcast_divide)(np.array([1, 2, 3]))


def test_two_gradients_are_two_arrays() -> None:
    def f(a, b):
        return np.sum(a + b)

    first, second = rg.grad(f, wrt=("a", "b"))(X.copy(), X.copy())
    first += 1.0
    np.testing.assert_allclose(second, np.ones(4))


def test_arguments_that_overlap_a_written_one_are_refused() -> None:
    def f(x, y):
        x[0] = y[1] * 2.0
        return np.sum(x * y)

    z = X.copy()
    with pytest.raises(RetrogradError, match="overlaps"):
        rg.grad(f)(z[:3], z[1:])
    assert rg.grad(f)(z[:2].copy(), z[2:]).shape == (2,)
