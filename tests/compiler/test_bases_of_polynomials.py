"""Matrices of powers and of orthogonal polynomials, at points that are differentiated."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

import retrograd as rg
from retrograd.runtime.tape.calls import taped

BASES = [
    polynomial.polyvander, chebyshev.chebvander, legendre.legvander, hermite.hermvander, hermite_e.hermevander,
    laguerre.lagvander,
]  # fmt: skip
X = np.array([0.3, -0.7, 0.0, 1.2])
Y = np.array([1.0, 0.2, -0.4, 0.9])


def slopes(f, x):
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps]).reshape(x.shape)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("basis", BASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("deg", [0, 1, 2, 5])
@pytest.mark.parametrize(
    "x", [X, X[:3].reshape(3, 1), np.array(0.4)], ids=["row", "column", "number"]
)
def test_the_matrix_of_a_basis(basis, deg, x):
    def f(x, deg):
        v = basis(x * x + 0.1, deg)
        return np.sum(np.sin(v) * np.arange(1.0, deg + 2.0))

    gradient = rg.grad(f, strict=True)
    assert rg.value_and_grad(f, strict=True)(x, deg)[0] == f(x, deg)
    np.testing.assert_allclose(
        gradient(x, deg), slopes(lambda x: f(x, deg), x), rtol=1e-6, atol=1e-7
    )
    assert rg.jvp(lambda x: f(x, deg), (x,), (np.ones_like(x),))[1] == pytest.approx(
        np.sum(gradient(x, deg))
    )
    np.testing.assert_allclose(taped(lambda x: f(x, deg), x)[1](1.0), gradient(x, deg), rtol=1e-12)
    np.testing.assert_allclose(
        rg.hvp(lambda x: f(x, deg), (x,), np.ones_like(x)),
        (gradient(x + 1e-5, deg) - gradient(x - 1e-5, deg)) / 2e-5, rtol=1e-5, atol=1e-6,
    )  # fmt: skip


@pytest.mark.parametrize("basis", BASES, ids=lambda f: f.__name__)
def test_a_fit_at_points_that_move(basis):
    def f(x):
        v = basis(x, 2)
        return np.sum((v @ np.linalg.solve(v.T @ v, v.T @ Y) - Y) ** 2 * np.arange(4.0))

    np.testing.assert_allclose(rg.grad(f, strict=True)(X), slopes(f, X), rtol=1e-5)
