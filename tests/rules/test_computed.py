"""Calls that are computed from several operations: one table for the compiler and the tape."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.rewrites import COMPUTED
from retrograd.runtime.tape.calls import pushed, taped

X = np.array([0.3, 1.2, 0.7, 2.0])
Y = np.array([1.0, 0.5, -0.3, 0.2])
W = np.array([1.0, 2.0, 3.0, 4.0])
M = np.arange(12.0).reshape(3, 4) ** 1.3


def average(a: Any) -> Any:
    mean, total = np.average(X, weights=a, returned=True)
    return mean * total**2


def atleast(a: Any) -> Any:
    rows, more = np.atleast_2d(a, Y)
    return np.sum(rows**2 * more)


def counted(a: Any) -> Any:
    counts, edges = np.histogram(a, bins=3, range=(0.0, 3.0), weights=a)
    whole, ends = np.histogram(a, 4)
    dense, _ = np.histogram(a, np.linspace(0, 3, 4), density=True)
    return (
        counts @ counts
        + np.sum(ends**3 * np.arange(5))
        + dense @ dense * a[0]
        + whole[0] * edges[1]
    )


def counted_equal(a: Any) -> Any:
    return np.sum(np.histogram(a[:1], 2)[1] ** 2)


def covariance(a: Any) -> Any:
    return np.sum(np.cov(a, Y) ** 2)


def columns(a: Any) -> Any:
    return np.sum(np.cov(a[:, None], Y[:, None], rowvar=False) ** 2)


def correlation(a: Any) -> Any:
    return np.corrcoef(a, Y)[0, 1]


def length(a: Any) -> Any:
    return math.hypot(a[0], a[1], a[2])


def angle(a: Any) -> Any:
    return cmath.phase(a[0] + 1j * a[1])


def both(a: Any) -> Any:
    size, turned = cmath.polar(a[0] + 1j * a[1])
    return size * turned


def spaced(a: Any) -> Any:
    points, step = np.linspace(a[0], a[1], 5, retstep=True)
    return np.sum(points**2) * step


def density(a: Any) -> Any:
    heights, _ = np.histogram(X, bins=3, weights=a, density=True)
    return np.sum(heights**2)


def trapezoids(a: Any) -> Any:
    return np.trapezoid(Y, a) + np.trapezoid(Y, dx=a[0]) + np.trapezoid(a, W)


def slopes(a: Any) -> Any:
    first, second = np.gradient(a)
    return np.sum(first**2 * second) + np.sum(np.gradient(a, 2.0, axis=1) ** 3)


def slopes_at(a: Any) -> Any:
    return np.sum(np.gradient(Y, a) ** 2)


def differences(a: Any) -> Any:
    return np.sum(np.diff(a, n=2, prepend=a[0], append=1.0) ** 2)


def flat_differences(a: Any) -> Any:
    return np.sum(np.ediff1d(a, to_end=a[:1], to_begin=0.5) ** 2)


def products(a: Any) -> Any:
    return np.sum(np.multiply.outer(a, M) ** 2) + np.sum(np.add.outer(a[0], Y) ** 2)


def grids(a: Any) -> Any:
    wide, long = np.meshgrid(a, Y)
    return np.sum(wide**2 * long)


CASES: list[tuple[Callable[[Any], Any], Any]] = [
    (average, W), (atleast, X), (covariance, X), (columns, X), (correlation, X), (length, X), (angle, X),
    (both, X), (spaced, X), (density, W), (trapezoids, X), (slopes, M), (slopes_at, X), (differences, X),
    (flat_differences, X), (products, X), (grids, X),
]  # fmt: skip

if hasattr(np, "cumulative_sum"):

    def running(a: Any) -> Any:
        sums = np.cumulative_sum(a, include_initial=True)
        return np.sum(sums**2 * np.cumulative_prod(a, include_initial=True))

    CASES.append((running, X))


@pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_compiled_and_on_the_tape(f: Callable[[Any], Any], x: Any) -> None:
    numeric = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[index] = 1e-6
        numeric[index] = (f(x + step) - f(x - step)) / 2e-6
    value, pull = taped(f, x)
    assert value == pytest.approx(f(x))
    np.testing.assert_allclose(pull(1.0), numeric, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(rg.grad(f)(x), pull(1.0), rtol=1e-10, atol=1e-12)
    dot = np.cos(np.arange(x.size)).reshape(x.shape)
    assert pushed(f, (dot,), x)[1] == pytest.approx(np.sum(pull(1.0) * dot))


@pytest.mark.parametrize("op", list(COMPUTED), ids=lambda op: op.__name__)
def test_a_call_that_does_not_fit_is_the_functions_own_error(op: Any) -> None:
    def f(x: Any) -> Any:
        return op(x, nobody_calls_it_that=1.0)

    with pytest.raises(
        (TypeError, rg.errors.RetrogradError), match=r"nobody_calls_it_that|keyword"
    ):
        taped(f, 0.5)
