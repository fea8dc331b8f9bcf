"""A slope that is infinite is not computed on a path where nobody asks for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import retrograd as rg


def surface_tension(T, Tc):
    tau = 1 - T / Tc if T < Tc else 0.0
    return 2 * Tc + tau**0.35


def root_of_constant(x):
    y = 0.0
    if x > 5:
        y = x
    return x + y**0.5


def sqrt_of_constant(x):
    y = 0.0
    if x > 5:
        y = x * x
    return x + 2.0 * math.sqrt(y)


def root_of_argument(x, c):
    z = x if x > 5 else c
    return x + 2 * z**0.5


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        y = x - k if x > k else 0.0
        total = total + y**0.5
    return total


CASES = [
    (surface_tension, (300.0, 126.0), 0.0),
    (root_of_constant, (1.0,), 1.0),
    (sqrt_of_constant, (1.0,), 1.0),
    (root_of_argument, (1.0, 0.0), 1.0),
    (in_a_loop, (1.5,), 0.5 * 1.5**-0.5 + 0.5 * 0.5**-0.5),
]


@pytest.mark.parametrize(("f", "args", "slope"), CASES, ids=[c[0].__name__ for c in CASES])
def test_the_path_that_was_not_taken_does_not_raise(f, args, slope) -> None:  # type: ignore[no-untyped-def]
    value, gradient = rg.value_and_grad(f)(*args)
    assert value == f(*args)
    assert gradient == pytest.approx(slope, abs=1e-12)


def test_the_path_that_was_taken_is_right() -> None:
    assert rg.grad(surface_tension)(100.0, 126.0) == pytest.approx(
        -0.35 * (1 - 100 / 126) ** -0.65 / 126
    )
    assert rg.grad(root_of_constant)(9.0) == pytest.approx(1 + 0.5 / 3)
    assert np.isclose(rg.grad(sqrt_of_constant)(6.0), 3.0)
