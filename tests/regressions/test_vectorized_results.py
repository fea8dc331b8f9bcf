"""``np.vectorize`` of a function with several results gives an array of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([[0.5, 0.7], [0.9, 1.1]])
Y = np.array([2.0, 3.0])


def powers(v: Any) -> Any:
    return v, v**2


MADE = np.vectorize(powers)


def of_the_module(x: Any) -> Any:
    a, b = MADE(x)
    return np.sum(a * b)


def made_inside(x: Any) -> Any:
    a, b = np.vectorize(lambda v: (v, v**2))(x)
    return np.sum(a * b[::-1])


def of_several_arguments(x: Any) -> Any:
    parts = np.vectorize(lambda v, w: (v * w, np.sin(v), w))(x, Y)
    return np.sum(parts[0] * parts[1]) + np.sum(parts[2])


def scaled(v: Any, scale: Any, shift: Any = 1.0) -> Any:
    if scale is None:
        scale = 2.0
    return v * scale * shift if shift is not None else v**2


def without_a_scale(x: Any) -> Any:
    return np.sum(np.vectorize(scaled)(x, None))


def of_a_function(x: Any) -> Any:
    return np.sum(np.vectorize(lambda f, v: f(v) * v)(np.sin, x))


def with_a_default_of_none(x: Any, scale: Any = None, shift: Any = None) -> Any:
    return np.sum(np.vectorize(scaled)(x, scale, shift=shift))


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for part in MADE(x):
        total += np.sum(part**2)
    return total


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    "f",
    [
        of_the_module,
        made_inside,
        of_several_arguments,
        in_a_loop,
        without_a_scale,
        of_a_function,
        with_a_default_of_none,
    ],
)
def test_several_results(f: Callable[..., Any]) -> None:
    value, bar = rg.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-14)
    way = np.array([[0.3, -0.7], [0.5, 0.2]])
    slope = (f(X + 1e-6 * way) - f(X - 1e-6 * way)) / 2e-6
    np.testing.assert_allclose(np.sum(bar * way), slope, rtol=1e-8)


def test_an_argument_that_is_none() -> None:
    f = rg.differentiate(wrt="x", strict=True)(with_a_default_of_none)
    for more in ((None, 3.0), (np.array([1.0, 5.0]), None), (None, None), (Y, Y)):
        slope = [
            (f(X + e, *more) - f(X - e, *more)) / 2e-6 for e in 1e-6 * np.eye(4).reshape(4, 2, 2)
        ]
        np.testing.assert_allclose(f.grad(X, *more).ravel(), slope, rtol=1e-7)


def test_one_kind_for_several_results_is_refused() -> None:
    def f(x: Any) -> Any:
        a, b = np.vectorize(powers, otypes=[float, float])(x)
        return np.sum(a * b)

    with pytest.raises(rg.errors.UnsupportedSyntax, match="np.vectorize"):
        rg.grad(f)(X)
