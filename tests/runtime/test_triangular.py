"""Triangular systems: small ones by NumPy's solver, large ones by halves; what is made of them is differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.helpers import linear

RNG = np.random.default_rng(0)


def triangle(*shape: int, complex: bool = False) -> Any:
    made = RNG.normal(size=shape) + (1j * RNG.normal(size=shape) if complex else 0)
    return np.tril(made / shape[-1] + np.eye(shape[-1]))


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("complex", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (64, 64), (65, 65), (130, 130), (3, 70, 70)])
def test_equals_the_general_solution(shape: Any, complex: bool, adjoint: bool) -> None:
    low = triangle(*shape, complex=complex)
    matrix = np.conj(low).swapaxes(-1, -2) if adjoint else low
    for columns in (1, 7, shape[-1]):
        b = RNG.normal(size=(*shape[:-1], columns))
        kept_low, kept_b = low.copy(), b.copy()
        found = linear.solve_lower(low, b, adjoint)
        np.testing.assert_allclose(found, np.linalg.solve(matrix, b), rtol=1e-11, atol=1e-12)
        np.testing.assert_array_equal(low, kept_low)
        np.testing.assert_array_equal(b, kept_b)


def test_precision_is_kept() -> None:
    low, b = triangle(100, 100).astype(np.float32), np.ones((100, 2), np.float32)
    assert linear.solve_lower(low, b).dtype == np.float32
    assert linear.solve_lower(low, b + 0j).dtype == np.complex64


@pytest.mark.parametrize("adjoint", [False, True])
def test_as_exact_as_factors_where_the_triangle_is_nearly_singular(adjoint: bool) -> None:
    x = np.linspace(0, 10, 100)
    low = np.linalg.cholesky(np.exp(-0.5 * (x[:, None] - x) ** 2) + 1e-10 * np.eye(100))
    matrix = low.T if adjoint else low
    b = RNG.normal(size=(100, 5))
    found = linear.solve_lower(low, b, adjoint)
    left = np.linalg.norm(matrix @ found - b) / np.linalg.norm(low) / np.linalg.norm(found)
    assert left < 1e-16  # the inverse of the parts alone leaves 3e-15


@pytest.mark.parametrize("upper", [False, True])
def test_factor_of_a_large_matrix(upper: bool) -> None:
    """Half of the logarithm of the determinant, whose derivatives have closed forms."""

    def half(k):
        return np.sum(np.log(np.diag(np.linalg.cholesky(k, upper=upper))))

    low = triangle(90, 90)
    k = low @ low.T
    v = RNG.normal(size=(90, 90))
    v = v + v.T
    inverse = np.linalg.inv(k)
    close = {"rtol": 1e-9, "atol": 1e-10}
    np.testing.assert_allclose(rg.grad(half)(k), 0.5 * inverse, **close)
    np.testing.assert_allclose(rg.jvp(half, (k,), (v,))[1], 0.5 * np.sum(inverse * v), rtol=1e-10)
    np.testing.assert_allclose(rg.hvp(half, (k,), v), -0.5 * inverse @ v @ inverse, **close)
