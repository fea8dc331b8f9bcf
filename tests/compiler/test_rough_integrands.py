"""Integrals of what has kinks, or ends in a square root: their derivatives to many digits, or none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, quad_vec

import retrograd as rg


def circle(c: float) -> Any:
    return quad(lambda t: np.sqrt(c * c - t * t), -c, c)[0]


def part_of_circle(c: float) -> Any:
    return quad(lambda t: np.sqrt(c - t * t), 0.0, 1.0)[0]


def arc(c: float) -> Any:
    return quad(lambda t: np.arccos(t / c), 0.0, c)[0]


def power(c: float) -> Any:
    return quad(lambda t: (c - t) ** 0.9, 0.0, 1.0)[0]


def kink(c: float) -> Any:
    return quad(lambda t: abs(t - c), 0.0, 2.0)[0]


def option(c: float) -> Any:
    return quad(lambda t: np.exp(-t * t) * max(c - t, 0.0), 0.0, 2.0)[0]


def root_within(c: float) -> Any:
    return quad(lambda t: np.sqrt(abs(t - c)), 0.0, 2.0)[0]


def of_several(c: float) -> Any:
    return np.sum(quad_vec(lambda t: np.array([np.sqrt(c * c - t * t), c * t]), 0.0, c)[0])


def backwards(c: float) -> Any:
    return quad(lambda t: t * t + c, c, 0.5)[0]


def peak(c: float) -> Any:
    return quad(lambda t: 1e-4 * c / ((1e-4 * c) ** 2 + (t - 0.3) ** 2), 0.0, 1.0)[0]


def waves(c: float) -> Any:
    return quad(lambda t: np.sin(20 * c * t), 0.0, 1.0)[0]


FIRST = {
    circle: lambda c: math.pi * c, part_of_circle: lambda c: math.asin(1 / math.sqrt(c)) / 2, arc: lambda c: 1.0,
    power: lambda c: c**0.9 - (c - 1) ** 0.9, kink: lambda c: 2 * c - 2, option: lambda c: math.sqrt(math.pi) / 2 * math.erf(c),
    of_several: lambda c: math.pi * c / 2 + 1.5 * c * c,
}  # fmt: skip
SECOND = {
    backwards: (lambda c: 0.5 - 2 * c - c * c, lambda c: -2 - 2 * c),
    peak: (lambda c: -1e-4 * (1 / 0.7 + 1 / 0.3), lambda c: 2e-12 * c * (0.7**-3 + 0.3**-3)),
    waves: (lambda c: (math.sin(20 * c) - (1 - math.cos(20 * c)) / (20 * c)) / c, None),
}  # fmt: skip


def tangent(f: Any, c: float) -> Any:
    return rg.jvp(f, (c,), (1.0,), strict=True)[1]


@pytest.mark.parametrize("f", FIRST)
@pytest.mark.parametrize("c", [1.0, 1.0000001, 1.0001, 1.3, 1.9])
def test_first_derivatives(f: Any, c: float) -> None:
    assert rg.grad(f, strict=True)(c) == pytest.approx(FIRST[f](c), rel=1e-7, abs=1e-7)
    assert tangent(f, c) == pytest.approx(FIRST[f](c), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("f", [circle, arc, kink, option])
def test_second_derivatives_are_refused(f: Any) -> None:
    """A sum over places knows nothing of a kink that moves, and a root's second derivative has no integral."""
    with pytest.raises(rg.RetrogradError, match="smooth second derivative"):
        rg.grad(rg.grad(f, strict=True), strict=True)(1.3)
    with pytest.raises(rg.RetrogradError, match="smooth second derivative"):
        rg.hvp(f, (1.3,), 1.0, strict=True)


@pytest.mark.parametrize("f", SECOND)
def test_second_derivatives(f: Any) -> None:
    first, second = SECOND[f]
    for c in (1.0, 1.3):
        assert rg.grad(f, strict=True)(c) == pytest.approx(first(c), rel=1e-6)
        if second is not None:
            found = rg.grad(rg.grad(f, strict=True), strict=True)(c)
            assert found == pytest.approx(second(c), rel=1e-3)
            assert rg.hvp(f, (c,), 1.0, strict=True) == pytest.approx(second(c), rel=1e-3)


def jump(c: float) -> Any:
    return quad(lambda t: 1.0 if t > c else 0.0, 0.0, 2.0)[0]


def jump_of_size(c: float) -> Any:
    return quad(lambda t: c if t > c else 0.0, 0.0, 2.0)[0]


def logarithm(c: float) -> Any:
    return quad(lambda t: np.log(abs(t - c)), 0.0, c)[0]


@pytest.mark.parametrize("f", [jump, jump_of_size, logarithm, root_within])
def test_refused(f: Any) -> None:
    """A jump that moves is a derivative that no value at any place tells; it was 0."""
    for made in (rg.grad(f, strict=True), lambda c: tangent(f, c)):
        with pytest.raises(rg.RetrogradError, match="smooth derivative"):
            made(1.3)


def times_a_derivative(c: float) -> Any:
    return c * rg.grad(kink)(c)


def test_a_derivative_of_a_derivative_inside() -> None:
    with pytest.raises(rg.RetrogradError, match="smooth second derivative"):
        rg.grad(times_a_derivative, strict=True)(1.3)


def from_here(c: float) -> Any:
    return quad(lambda t: t * t + 1.0, 1.0, c)[0]


def test_an_empty_interval() -> None:
    """From 1 to 1: the integral is 0, its derivative what is integrated; it was 0."""
    value, slope = rg.value_and_grad(from_here, strict=True)(1.0)
    assert (value, slope) == (0.0, pytest.approx(2.0))
    assert tangent(from_here, 1.0) == pytest.approx(2.0)
