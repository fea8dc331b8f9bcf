"""Tangents of lists, one and many at once: of whole numbers that become floats, and of what may be empty."""

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


def total(ys: Any) -> Any:
    s = 0.0
    for y in ys:
        s = s + y**2
    return s


def whole_numbers_that_become_floats(x: Any) -> Any:
    h = [0, 0]
    for i in range(2):
        h[i] += x[i] ** 2
    return h[0] * h[1]


def repeated_list(x: Any) -> Any:
    h = [1] * 3
    for i in range(4):
        h[i % 3] = h[i % 3] * x[i]
    return h[0] * h[1] + h[2]


def comprehension_of_whole_numbers(x: Any) -> Any:
    h = [1 for _ in range(4)]
    for i in range(1, 4):
        h[i] = h[i - 1] * x[i] + x[0]
    return h[3] * h[2]


def dict_of_whole_numbers(x: Any) -> Any:
    h = {"a": 0, "b": 0}
    for i in range(2):
        h["a"] += x[i] ** 2
    return h["a"] * x[1] + h["b"]


def sum_of_nothing(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        s = s + x[i] * sum(x[k] ** 2 for k in range(i))
    return s


def array_of_nothing(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        s = s + x[i] * np.sum(np.array([x[k] ** 2 for k in range(i)]))
    return s


def list_that_is_handed_on(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        s = s + x[i] * total([x[k] ** 2 for k in range(i)])
    return s


def cholesky(x: Any) -> Any:
    n = 2
    L = np.zeros((n, n))
    m: Any = np.array([[x[0] + 5, x[1]], [x[1], x[2] + 3]])
    for i in range(n):
        for j in range(i + 1):
            s = m[i, j] - sum(L[i, k] * L[j, k] for k in range(j))
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L * L[0, 0])


CASES = (
    whole_numbers_that_become_floats,
    repeated_list,
    comprehension_of_whole_numbers,
    dict_of_whole_numbers,
    sum_of_nothing,
    array_of_nothing,
    list_that_is_handed_on,
    cholesky,
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
    np.testing.assert_allclose(rg.grad(f, backend="c")(X), rg.grad(f)(X), rtol=1e-12)
