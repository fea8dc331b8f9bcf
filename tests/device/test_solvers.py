"""Values defined by equations on the device: found there, one question a step, and differentiated as on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import ConvergenceError

pytestmark = pytest.mark.cupy
W, X = np.array([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]]), np.array([1.0, 0.5, -0.8])


def energy(z, w, x):
    return np.sum(np.cosh(z)) + np.sum((z - w @ x) ** 2) / 2


def root(w, x):
    z = rg.root(rg.grad(lambda z: energy(z, w, x)), np.zeros(2))
    return np.sum(z * z)


def least(w, x):
    z = rg.argmin(lambda z: energy(z, w, x), np.zeros(2))
    return np.sum(z**3)


def fixed(w, x):
    z = rg.fixed_point(lambda z: np.tanh(0.5 * z + w @ x), np.zeros(2))
    return np.sum(z * z)


def unrolled(w, x):
    unrolled = rg.Unrolled()
    z = rg.fixed_point(lambda z: np.tanh(0.5 * z + w @ x), np.zeros(2), adjoint=unrolled)
    return np.sum(z * z)


def system(w, x):
    z = rg.linear_solve(lambda v: w[:, :2] @ v + 3.0 * v, w @ x)
    return np.sum(z * z)


def of_numbers(w, x):
    z = rg.root(lambda z: z**3 + z - np.sum(w @ x), 0.5)
    return z * z * np.sum(x)


def of_many(w, x):
    """More unknowns than a matrix is made for."""
    z = rg.root(lambda z: z + 0.1 * z**3 - np.linspace(0.1, 1.0, 70) * np.sum(w @ x), np.zeros(70))
    return np.sum(z * z)


def singular(w, x):
    z = rg.linear_solve(lambda v: v - np.sum(v) * 0.5, w @ x)
    return np.sum(z * z)


def test_a_singular_system_is_an_error_there_too(cupy: Any) -> None:
    for move in (np.asarray, cupy.asarray):
        with pytest.raises(ConvergenceError, match="singular here"):
            rg.grad(singular)(move(W), move(X))


@pytest.mark.parametrize("f", [root, least, fixed, unrolled, system, of_numbers, of_many])
def test_gradients(cupy: Any, f: Any) -> None:
    found = rg.grad(f, wrt=(0, 1))(cupy.asarray(W), cupy.asarray(X))
    for here, there in zip(rg.grad(f, wrt=(0, 1))(W, X), found, strict=True):
        np.testing.assert_allclose(there.get(), here, 1e-7, 1e-9)
