"""Sparse matrices of SciPy in functions: products are differentiated, what means something else than of arrays is refused."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.written import namespace

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

X = np.array([0.5, 1.25, -0.75])
DENSE = np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.0], [5.0, 0.0, 0.0]])
HELPERS = """
def product(A, x):
    return A * x

def build():
    return sp.csr_matrix(D)
"""
TIMES = [
    "W * x",
    "x * W",
    "w * x",
    "w.T * x",
    "(W * 2.0) * x",
    "(2.0 * W + W) @ x * W",
    "sp.csr_matrix(D) * x",
    "build() * x",
    "product(W, x)",
    "product(sp.csr_matrix(D), x)",
    "(W if x[0] > 0 else sp.csr_matrix(2 * D)) * x",
    "sp.kron(sp.eye(1), W) * x",
    "W[:, :] * x",
    "W * x[0] @ x",
    "W / x[0] @ x",
    "np.multiply(W, x)",
]
PRODUCTS = [
    "W @ x",
    "x @ W",
    "w @ x",
    "w.T @ x",
    "w.dot(x)",
    "(W * 2.0) @ x",
    "(W + W) @ x",
    "(-W @ W) @ x",
    "sp.csr_matrix(D) @ x * x",
    "build() @ x",
    "sp.diags([1.0, 2.0, 3.0]) * 2.0 @ x",
    "W[0, 1] * x",
]


def made(expression: str, matrix: Any) -> Any:
    text = f"{HELPERS}\ndef f(x, w):\n    y = {expression}\n    return np.sum(y * y)\n"
    return namespace(textwrap.dedent(text), sp=sp, W=matrix, D=DENSE)["f"]


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array])
@pytest.mark.parametrize("expression", TIMES)
def test_what_is_another_product_is_refused(expression: str, kind: Any) -> None:
    f, matrix = made(expression, kind(DENSE)), kind(DENSE)
    for call in (rg.grad(f), rg.differentiate(f).grad):
        with pytest.raises((RetrogradError, NotImplementedError)) as caught:
            call(X, matrix)
        assert "InternalError" not in caught.typename
    with pytest.raises((RetrogradError, NotImplementedError)):
        rg.jvp(f, (X, matrix), (X, None))


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array])
@pytest.mark.parametrize("expression", PRODUCTS)
def test_products(expression: str, kind: Any) -> None:
    f, matrix = made(expression, kind(DENSE)), kind(DENSE)
    slopes = [(f(X + h, matrix) - f(X - h, matrix)) / 2e-6 for h in np.eye(3) * 1e-6]
    np.testing.assert_allclose(rg.grad(f)(X, matrix), slopes, atol=1e-6)
    dot = rg.jvp(f, (X, matrix), (X, None))[1]
    np.testing.assert_allclose(dot, np.dot(slopes, X), atol=1e-6)


def test_the_tape_refuses_them_too() -> None:
    for f in (lambda x: np.sum(len({1}) * x * W), lambda x: np.sum(W * x * len({1}))):
        with pytest.raises(RetrogradError, match="sparse|csr_matrix|plain array"):
            rg.differentiate(f).grad(X)


W = sp.csr_matrix(DENSE)
