"""The eager tape: levels, writes, what it follows, and what it refuses."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import math
import operator
import statistics
from collections.abc import Callable
from math import exp
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import TapeError
from retrograd.runtime.helpers import linear
from retrograd.runtime.tape.calls import pulled, pushed, taped

X = np.array([0.4, -1.3, 0.7])


def differences(f: Callable[..., Any], *args: Any, step: float = 1e-6) -> list[Any]:
    """The gradients of a scalar function by central differences."""
    found = []
    for k, x in enumerate(args):
        units = np.eye(np.size(x)).reshape(-1, *np.shape(x)) * step
        ups = [f(*args[:k], x + u, *args[k + 1 :]) for u in units]
        downs = [f(*args[:k], x - u, *args[k + 1 :]) for u in units]
        found.append(np.reshape(np.subtract(ups, downs), np.shape(x)) / (2 * step))
    return found


def agrees(f: Callable[..., Any], *args: Any) -> None:
    """Value, gradient, tangent and a second derivative of one function."""
    value, pull = taped(f, *args, wrt=tuple(range(len(args))))
    np.testing.assert_array_equal(value, f(*args))
    bars = pull(1.0) if len(args) > 1 else (pull(1.0),)
    expected = differences(f, *args)
    for bar, other in zip(bars, expected, strict=True):
        np.testing.assert_allclose(bar, other, rtol=1e-6, atol=1e-8)
    dots = tuple(np.ones(np.shape(a)) if np.ndim(a) else 1.0 for a in args)
    _, tangent = pushed(f, dots, *args)
    slope = sum(np.sum(bar) for bar in bars)
    assert tangent == pytest.approx(slope, rel=1e-9)

    def length(*xs: Any) -> Any:
        inner = taped(f, *xs)[1](1.0)
        return sum(np.sum(b * b) for b in (inner if len(xs) > 1 else (inner,)))

    _, again = taped(length, *args)
    found = again(1.0) if len(args) > 1 else (again(1.0),)
    for bar, other in zip(found, differences(length, *args, step=1e-5), strict=True):
        np.testing.assert_allclose(bar, other, rtol=1e-5, atol=1e-6)


# -- what runs on it --------------------------------------------------------------------------


def test_python_and_numpy_and_math() -> None:
    def f(x: Any, s: Any) -> Any:
        total = 0.0
        for row in x:
            if row > 0:
                total = total + math.sin(row) * s
            else:
                total -= exp(s * row)
        return total + max(s, 0.1) + np.linalg.norm(x) + abs(x).sum() + (x.T @ x) / s**2

    agrees(f, X, 1.2)


def test_arrays_are_put_together_from_values_of_the_tape() -> None:
    def f(x: Any) -> Any:
        a = np.array([x[0], 2.0, x[1] * x[2]])
        b = np.full(3, x[0])
        return np.sum(np.stack([a, b]) ** 2) + np.sum(np.where(a > 0, a, b * a))

    agrees(f, X)


def test_containers_and_dataclasses_keep_their_form() -> None:
    @dataclasses.dataclass
    class Pair:
        a: Any
        b: Any

    def f(p: Any, d: Any) -> Any:
        return Pair({"y": p.a * d["k"][0]}, (np.sum(p.b), 3))

    value, pull = taped(f, Pair(2.0, X), {"k": [5.0, "text"]})
    assert value.a == {"y": 10.0}
    p_bar, d_bar = pull(Pair({"y": 1.0}, (2.0, None)))
    assert p_bar.a == 5.0
    np.testing.assert_array_equal(p_bar.b, [2.0, 2.0, 2.0])
    assert d_bar["k"][0] == 2.0


def test_closures_partials_and_decorators_are_followed() -> None:
    def twice(g: Any) -> Any:
        @functools.wraps(g)
        def wrapped(x: Any) -> Any:
            return g(g(x))

        return wrapped

    def wave(a: Any, x: Any) -> Any:
        return math.sin(a * x)

    step = twice(functools.partial(wave, 1.5))

    def countdown(n: int, x: Any) -> Any:
        return x if n == 0 else math.cos(countdown(n - 1, x))

    agrees(lambda x: step(x) * countdown(3, x), 0.3)


def test_operators_as_functions() -> None:
    def f(x: Any) -> Any:
        y = x * 1.0
        z = y
        y = operator.iadd(y, x)
        return np.sum(operator.mul(y, z)) + functools.reduce(operator.add, list(x))

    agrees(f, X)


def test_dicts_keep_their_kind() -> None:
    def f(table: Any) -> Any:
        return table["a"] * 2.0 + table["missing"]

    value, pull = taped(f, collections.defaultdict(float, a=3.0))
    assert value == 6.0
    assert pull(1.0) == {"a": 2.0}


def test_copies() -> None:
    def f(x: Any) -> Any:
        y = copy.deepcopy(x)
        y[0] = copy.copy(y[1])
        return np.sum(y * x)

    agrees(f, X)


def test_complex_values() -> None:
    def f(x: Any) -> Any:
        z = x * (1.0 + 2.0j)
        return np.sum(np.real(z * np.conj(z) * np.exp(1j * x)))

    agrees(f, X)


def test_long_chains_neither_recurse_nor_overflow_when_freed() -> None:
    def f(x: Any) -> Any:
        for _ in range(30_000):
            x = x * 1.0001
        return x

    value, pull = taped(f, 1.0)
    assert pull(1.0) == pytest.approx(value)
    del value, pull


def test_what_the_tape_keeps_does_not_change_with_the_callers_arrays() -> None:
    x = X.copy()
    value, pull = taped(lambda x: np.exp(x) * x, x)
    _, same = taped(lambda x: x, x)
    first = pull(np.ones(3))
    x[:] = 0.0
    value[:] = 0.0
    np.testing.assert_array_equal(pull(np.ones(3)), first)
    np.testing.assert_allclose(first, np.exp(X) * (1 + X))
    assert same.value is not x


# -- levels -----------------------------------------------------------------------------------


def test_levels_do_not_confuse_perturbations() -> None:
    def f(x: Any) -> Any:
        inner = pushed(lambda y: x + y, (1.0,), 2.0)[1]  # d/dy (x + y) is 1, whatever x
        return x * inner

    assert taped(f, 3.0)[1](1.0) == 1.0
    assert pushed(f, (1.0,), 3.0)[1] == 1.0


def test_third_derivatives_by_any_mixture_of_modes() -> None:
    def reverse(f: Any) -> Any:
        return lambda x: taped(f, x)[1](1.0)

    def forward(f: Any) -> Any:
        return lambda x: pushed(f, (1.0,), x)[1]

    modes = (reverse, forward)
    for a in modes:
        for b in modes:
            for c in modes:
                assert a(b(c(lambda x: x**5)))(1.5) == pytest.approx(60 * 1.5**2)
                assert a(b(c(math.sin)))(0.3) == pytest.approx(-math.cos(0.3))


def test_a_pullback_stands_for_the_arguments_of_its_call() -> None:
    _, pull = taped(lambda x, y: np.sum(x * x * y), X, 2.0)
    bars, again = taped(pulled, pull, 1.0)
    np.testing.assert_allclose(bars[0], 4.0 * X)
    (x_bar, y_bar), c_bar = again((X, 0.0))
    np.testing.assert_allclose(x_bar, 4.0 * X)
    assert y_bar == pytest.approx(2 * np.sum(X * X))
    assert c_bar == pytest.approx(4 * np.sum(X * X))


def test_a_function_that_is_not_deterministic_has_no_second_derivative() -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return x * len(calls)

    _, pull = taped(f, 2.0)
    assert pull(1.0) == 1.0
    with pytest.raises(TapeError, match="another result"):
        taped(pulled, pull, 1.0)


# -- writes -----------------------------------------------------------------------------------


def test_writes_into_arrays_of_its_own() -> None:
    def f(x: Any) -> Any:
        y = np.zeros(4)
        y[0], y[1:] = x[1], x * x
        y[2] *= x[0]
        y[1:3] += y[:2]
        y *= 2.0
        z = y
        z -= x[0]  # y is the same array
        return np.sum(y * np.arange(4.0)) + z[0]

    agrees(f, X)


def test_the_last_write_to_a_place_wins() -> None:
    def f(x: Any) -> Any:
        y = np.ones(3)
        y[[0, 2, 0]] = x
        y[np.array([True, False, True])] *= 3.0
        return np.sum(y * y)

    agrees(f, X)


def test_a_value_that_was_read_keeps_its_version() -> None:
    def f(x: Any) -> Any:
        y = x * 1.0
        z = y * y
        y[:] = 0.0
        w = np.sum(z)
        y[0] = x[2]
        return w + np.sum(np.exp(y))

    agrees(f, X)


def test_plain_arrays_may_change_after_they_were_read() -> None:
    weights = np.ones(3)

    def f(x: Any) -> Any:
        weights[:] = 2.0
        a = np.sum(x * weights * x)
        weights[:] = 5.0
        return a + np.sum(x * x * weights)

    agrees(f, X)


def view_alive(x: Any) -> Any:
    y = x * 1.0
    part = y[1:]
    y[1] = 5.0
    return np.sum(part)


def view_written(x: Any) -> Any:
    y = x * 1.0
    part = y[1:]
    part += 1.0
    return np.sum(y)


def argument_written(x: Any) -> Any:
    x[0] = 1.0
    return np.sum(x)


def argument_updated(x: Any) -> Any:
    x += 1.0
    return np.sum(x)


def view_of_argument_updated(x: Any) -> Any:
    x[1:] += 1.0
    return np.sum(x)


def plain_updated(x: Any) -> Any:
    y = np.ones_like(X)
    y = np.add(y, y)
    buffer = np.asarray(y).copy()
    buffer += x
    return np.sum(buffer)


def with_out(x: Any) -> Any:
    buffer = np.ones(3)
    return np.sum(np.multiply(x, 2.0, out=buffer))


def sorted_in_place(x: Any) -> Any:
    y = x * 1.0
    y.sort()
    return y[0]


def cut_by_float(x: Any) -> Any:
    return float(x[0]) * x[1]


def cut_by_array(x: Any) -> Any:
    return np.sum(np.frompyfunc(lambda v: v, 1, 1)(x))


def cut_by_bytes(x: Any) -> Any:
    return np.sum(np.frombuffer(x.tobytes()))


def cut_by_attribute(x: Any) -> Any:
    return (x[0] * 1.0).as_integer_ratio()[0] * x[1]


def without_rule(x: Any) -> Any:
    return np.sum(np.unique_values(x))


def unknown_keyword(x: Any) -> Any:
    return np.nanstd(x, mean=0.5)


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value


def hidden(x: Any) -> Any:
    return Holder(x)


def generated(x: Any) -> Any:
    return (v * 2.0 for v in x)


def in_a_deque(x: Any) -> Any:
    return collections.deque([x])


def in_an_object_array(x: Any) -> Any:
    made = np.empty(1, object)
    made[0] = x[0]
    return made


def cut_by_a_number(x: Any) -> Any:
    return np.float64(x[0]) * x[1]


def mean_of_a_list(x: Any) -> Any:
    return statistics.mean(list(x))


KEPT: list[Any] = []


def kept(x: Any) -> Any:
    KEPT.append(x)
    return np.sum(KEPT[0])


REFUSED = [
    argument_written, argument_updated, view_of_argument_updated,
    cut_by_array, cut_by_bytes, cut_by_attribute, cut_by_a_number, without_rule,
    unknown_keyword, hidden, generated,
]  # fmt: skip


@pytest.mark.parametrize(
    "f",
    [
        view_alive,
        view_written,
        with_out,
        sorted_in_place,
        plain_updated,
        cut_by_float,
        mean_of_a_list,
    ],
)
def test_writes_that_a_view_sees(f: Any) -> None:
    agrees(f, X)


def test_results_in_other_containers() -> None:
    for f in (in_a_deque, in_an_object_array):
        value, pull = taped(f, X)
        np.testing.assert_array_equal(pull(value)[0], X[0])


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refused(f: Any) -> None:
    with pytest.raises(TapeError):
        taped(f, X)
    np.testing.assert_array_equal(X, [0.4, -1.3, 0.7])


def test_a_value_kept_from_another_differentiation_is_refused() -> None:
    taped(kept, X)
    with pytest.raises(TapeError, match="a differentiation that has ended"):
        taped(kept, X)


def test_arrays_that_are_not_differentiated_cannot_be_written_to() -> None:
    counts = np.zeros(3)

    def f(x: Any, n: Any) -> Any:
        n[0] += 1.0
        return x * 2.0

    with pytest.raises(TapeError, match="read-only"):
        taped(f, 1.0, counts, wrt=(0,))
    assert counts[0] == 0.0
    assert counts.flags.writeable


def test_a_constant_is_a_constant() -> None:
    value, pull = taped(lambda x: np.sum(np.floor(x)) + linear.stop_gradient(x)[0] * 2.0, X)
    assert value == pytest.approx(-2.0 + 0.8)
    np.testing.assert_array_equal(pull(1.0), np.zeros(3))


class Frozen:
    """Its methods run as they are: nothing in them is followed."""

    def __call__(self, x: Any) -> Any:
        return np.sum(rg.stop_gradient(x) * x) + rg.stop_gradient({"k": [x]})["k"][0][1]


def test_stop_gradient_in_code_that_is_not_followed() -> None:
    frozen = Frozen()
    value, pull = taped(lambda x: frozen(x) * 2.0, X)
    assert value == pytest.approx(2 * np.sum(X * X) + 2 * X[1])
    np.testing.assert_allclose(pull(1.0), 2.0 * X)
    assert pushed(frozen, (np.ones(3),), X)[1] == pytest.approx(np.sum(X))
    kept = [1.0, (2.0,)]
    assert rg.stop_gradient(kept) is kept


def test_a_zero_times_infinity_nobody_asked_for_is_no_nan() -> None:
    value, dot = pushed(lambda x, y: np.sqrt(x) * y, (1.0,), 4.0, np.inf, wrt=(0,))
    assert value == np.inf
    assert dot == np.inf
    assert pushed(lambda x, y: x * y, (1.0,), 0.0, 3.0, wrt=(0,))[1] == 3.0
