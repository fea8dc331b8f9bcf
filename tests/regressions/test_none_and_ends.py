"""None as an argument, as a result, and functions that fall off their end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg


def optional(x, y=None):
    if y is None:
        return x * x
    return x * 3 * y


def optional_not(x, y=None):
    return x * y if y is not None else x**3


def calls_both(x):
    return optional(x, None) + optional(x, 2.0)


def falls_off(x):
    if x > 1:
        return x * 2


def falls_off_in_a_loop(x):
    for i in range(3):
        if x > i + 0.7:
            return x * i


def reads_the_end(x):
    r = falls_off(x)
    return x * 5 if r is None else r * x


def reads_the_end_of_a_loop(x):
    r = falls_off_in_a_loop(x)
    return x * 7 if r is None else r * x


@pytest.mark.parametrize(
    ("f", "args", "slope"),
    [
        (optional, (2.0,), 4.0),
        (optional, (2.0, None), 4.0),
        (optional, (2.0, 3.0), 9.0),
        (optional_not, (2.0, None), 12.0),
        (optional_not, (2.0, 5.0), 5.0),
        (calls_both, (2.0,), 10.0),
        (reads_the_end, (2.0,), 8.0),
        (reads_the_end, (0.4,), 5.0),
        (reads_the_end_of_a_loop, (2.0,), 0.0),
        (reads_the_end_of_a_loop, (0.4,), 7.0),
    ],
)
def test_none_is_what_python_says(f: Any, args: tuple[Any, ...], slope: float) -> None:
    assert rg.grad(f)(*args) == pytest.approx(slope)
    value, pullback = rg.vjp(f, *args, wrt=0)
    assert value == f(*args)
    assert pullback(1.0)[0] == pytest.approx(slope)


def test_a_name_bound_where_it_may_not_run() -> None:
    def f(x):
        if (q := x * 2) > 0 and (r := q * 2) > 0:
            return q * r
        return q

    assert rg.grad(f)(2.0) == 32.0
    assert rg.grad(f)(-2.0) == 2.0


def apply(g, x):
    return g(x)


def test_an_inner_function_is_handed_on() -> None:
    def f(x):
        return apply(lambda t: t * t, x)

    assert rg.grad(f)(3.0) == 6.0


def extended_tuple(x):
    parts = (x, x * 2)
    parts += (x**2,)
    return np.sum(parts[0] * parts[2])


def list_beside_an_array(x):
    return (x[0], 2.0) @ x[:2] + np.sum(x[:2] - [1.0, x[0]])


@pytest.mark.parametrize("f", [extended_tuple, list_beside_an_array], ids=lambda f: f.__name__)
def test_arithmetic_of_containers(f: Any) -> None:
    x = np.array([0.5, -1.2, 2.0])
    assert rg.value_and_grad(f)(x)[0] == f(x)
    rg.check_grads(f, (x,))


def test_repeated_containers() -> None:
    def f(x):
        parts = [x, x * 2] * 2
        return np.sum(parts[0] * parts[3])

    rg.check_grads(f, (np.array([0.5, -1.2]),))
