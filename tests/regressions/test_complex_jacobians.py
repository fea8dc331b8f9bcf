"""Jacobians and complex numbers: the real parts alone would be silently wrong."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, UnsupportedOperation

X = np.array([0.3, 1.2])


def turn(x):
    return np.exp(1j * x)


def first_turn(x):
    return np.exp(1j * x)[0]


def square(z):
    return z * z


def test_complex_results_of_real_arguments_go_forward() -> None:
    np.testing.assert_allclose(rg.jacobian(turn)(X), np.diag(1j * np.exp(1j * X)))
    np.testing.assert_allclose(rg.jacobian(first_turn)(X), [1j * np.exp(0.3j), 0.0])
    with pytest.raises(NotDifferentiable, match="a result is complex"):
        rg.jacobian(turn, mode="reverse")(X)


@pytest.mark.parametrize("mode", ["forward", "reverse", None])
def test_complex_arguments_are_refused(mode: str | None) -> None:
    with pytest.raises(NotDifferentiable, match="complex argument"):
        rg.jacobian(square, mode=mode)(X * (1 + 1j))


def noisy(x):
    return x * np.random.rand()


def test_random_numbers_are_not_drawn_again() -> None:
    with pytest.raises(UnsupportedOperation, match="random"):
        rg.jacobian(noisy)(2.0)
