"""What one iteration leaves in a name is there in a later one, also where that binds it only perhaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.usefixtures("unchecked")

X = np.array([1.3, 0.4, 2.1, 0.8])
V = np.array([0.3, -1.1, 0.7, 0.2])
STEP = 1e-5


def list_of_an_inner_loop(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(len(x)):
            row = [x[i], x[j]]
        s += row[0] * row[1]
    return s


def dict_of_an_inner_loop(x: Any) -> Any:
    s = 0.0
    for _ in range(3):
        for j in range(len(x)):
            mode = "a"
            d = {"u": x[j], "v": 2}
        s += d["u"] * d["v"] * (2.0 if mode == "a" else 1.0)
    return s


def view_of_an_inner_loop(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(1, len(x)):
            v = x[j:] * x[i]
        s += np.sum(v)
    return s


def array_written_to_later(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(i, 3):
            a = np.zeros(3)
            a[0] = x[j]
            a[i] += x[i] ** 2
        a[1] = x[i]
        s += np.sum(a * a)
    return s


def targets_of_enumerate(x: Any) -> Any:
    s = 0.0
    for i in range(4):
        for j, v in enumerate(x[i:2]):  # noqa: B007
            w = v * x[i]
        s += w * j + v
    return s


def targets_of_zip(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for a, b in zip(x[: 2 - i], x[2:], strict=False):
            p, q = a * b, (a, b)
        s += p * q[1]
    return s


def while_in_while(x: Any) -> Any:
    s, k = 0.0, 0
    while True:
        while k % 3:
            u = x[k] * k
            k += 1
        k += 1
        if k > 2:
            s += u * x[0]
        if k >= 4:
            break
    return s


def list_that_grows(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(i, 2):
            items = []
            for k in range(j + 1):
                items.append(x[k] * x[j])
        s += sum(items) * x[i]
    return s


def read_before_it_is_bound(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        if i:
            s += prev * x[i]  # noqa: F821
        prev = x[i] ** 2  # noqa: F841
    return s


def bound_in_the_first_iteration(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        if i == 0:
            W = np.outer(x, x)
            b = x * 2
        h = W @ x + b
        s += np.sum(h) * x[i]
    return s


def bound_before_a_break(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(i):
            d = x[i] - x[j]
            if d > 0.5:
                near = d * x[j]
                break
        if i == 2:
            s += near
    return s


def read_by_a_function(x: Any) -> Any:
    s = 0.0
    for i in range(3):

        def g(v: Any) -> Any:
            return v * j  # noqa: B023

        for j in range(2):  # noqa: B007
            s += g(x[i])
    return s


def index_of_a_loop_that_is_left(x: Any) -> Any:
    s = 0.0
    for i in range(2):
        t = x[i]
        for j in range(i + 1, 2):
            if x[j] > 9.0:
                break
            t = t * x[j]
        s += t * j
    return s


def bound_in_a_try(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        try:
            c = x[3 * i + 2]
        except IndexError:
            pass
        s += c * x[i]
    return s


CASES = (
    list_of_an_inner_loop,
    dict_of_an_inner_loop,
    view_of_an_inner_loop,
    array_written_to_later,
    targets_of_enumerate,
    targets_of_zip,
    while_in_while,
    list_that_grows,
    read_before_it_is_bound,
    bound_in_the_first_iteration,
    bound_before_a_break,
    read_by_a_function,
    index_of_a_loop_that_is_left,
    bound_in_a_try,
)


def along(f: Any) -> Any:
    return (f(X + STEP * V) - f(X - STEP * V)) / (2 * STEP)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    value, gradient = rg.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient @ V, along(f), rtol=1e-7)
    np.testing.assert_allclose(rg.jvp(f, (X,), (V,))[1], along(f), rtol=1e-7)
    np.testing.assert_allclose(rg.hessian(f)(X) @ V, along(rg.grad(f)), rtol=1e-6, atol=1e-7)
