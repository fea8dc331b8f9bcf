"""Factorisations of matrices of more rows than loops take, by NumPy's own library."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import retrograd as rg
from tests.fuzz.native import same


def systems(a, b):
    x = np.linalg.solve(a, b)
    return np.sum(x**2) + np.sum(np.linalg.solve(a.T, x[:, 0]))


def inverse(a, b):
    return np.sum(np.linalg.inv(a) * b[0, 0]) + np.linalg.slogdet(a)[1] + np.linalg.det(a / 30.0)


def gaussian(a, b):
    low = np.linalg.cholesky(a @ a.T)
    x = np.linalg.solve(low, b[:, 0])
    return 0.5 * x @ x + np.sum(np.log(np.diag(low)))


def triangles(a, b):
    x = scipy.linalg.solve_triangular(a, b, lower=True)
    y = scipy.linalg.solve_triangular(a, x, trans=1)
    return np.sum(y * np.sin(x))


RNG = np.random.default_rng(3)


def given(n):
    return RNG.normal(size=(n, n)) + (5.0 + n**0.5) * np.eye(n), RNG.normal(size=(n, 3))


@pytest.mark.parametrize("fn", [systems, inverse, gaussian, triangles])
def test_one_kernel_with_the_numbers_of_the_text(fn):
    plain, kernel = (rg.value_and_grad(fn, (0, 1), backend=b) for b in (None, "c"))
    for n in (40, 64, 300, 33):
        args = given(n)
        assert same(kernel(*args), plain(*args), 1e-9)
    assert kernel.__native__.notes == []


@pytest.mark.parametrize("fn", [systems, inverse, gaussian])
def test_what_the_library_refuses_is_the_texts_to_raise(fn):
    kernel, (a, b) = rg.grad(fn, backend="c"), given(40)
    kernel(a, b)
    with pytest.raises(np.linalg.LinAlgError):
        kernel(np.zeros((40, 40)), b)
    assert np.all(np.isfinite(kernel(a, b)))
