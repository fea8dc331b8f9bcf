"""Triangular systems of a derivative are SciPy's, where the function uses SciPy anyway."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import linalg

import retrograd as rg

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]])
B = np.array([1.0, -2.0, 0.3])


def with_scipy(a, b):
    factor = np.linalg.cholesky(a @ a.T + np.eye(3))
    y = linalg.solve_triangular(factor, b, lower=True)
    return y @ y + np.sum(np.log(np.diag(factor)))


def with_numpy(a, b):
    factor = np.linalg.cholesky(a @ a.T + np.eye(3))
    y = np.linalg.solve(factor, b)
    return y @ y + np.sum(np.log(np.diag(factor)))


def with_another_matrix(a, b):
    factor = np.linalg.cholesky(a @ a.T + np.eye(3))
    y = linalg.solve_triangular(factor, b, lower=True)
    z = np.linalg.solve(a @ a, y)
    return z @ z + np.sum(np.log(np.diag(factor)))


def text_of(f: Any) -> str:
    rg.check_grads(f, (A, B), order=1)
    return rg.differentiate(f, wrt=(0, 1)).source("grad", A, B)


def test_the_factor_is_not_factored() -> None:
    text = text_of(with_scipy)
    assert "linalg.solve_triangular(factor.T, " in text
    assert "rt.solve_lower(" not in text


def test_scipy_is_not_brought_in() -> None:
    text = text_of(with_numpy)
    assert "scipy" not in text
    assert "rt.solve_lower(" in text


def test_other_systems_stay() -> None:
    assert "np.linalg.solve(" in text_of(with_another_matrix)


@pytest.mark.parametrize("f", [with_scipy, with_another_matrix])
def test_both_give_the_same(f: Any) -> None:
    plain = with_numpy if f is with_scipy else f
    for found, wanted in zip(rg.grad(f, (0, 1))(A, B), rg.grad(plain, (0, 1))(A, B), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
