"""Recursive functions differentiated backwards twice: what a call has kept may hold shapes and numbers without derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.usefixtures("unchecked")


def determinant(A: Any) -> Any:
    if A.shape[0] == 1:
        return A[0, 0]
    s = 0.0
    for j in range(A.shape[0]):
        minor = np.delete(np.delete(A, 0, 0), j, 1)
        s = s + (-1) ** j * A[0, j] * determinant(minor)
    return s


def halves(A: Any) -> Any:
    if A.shape[0] == 1:
        return np.sin(A[0, 0]) * A.shape[1]
    m = A.shape[0] // 2
    return halves(A[:m]) * halves(A[m:])


def by_rows(A: Any) -> Any:
    rows, columns = A.shape
    if rows == 1:
        return np.prod(A)
    return np.sum(A[0] ** 2) * by_rows(A[1:]) / columns


def in_a_loop(A: Any) -> Any:
    size = A.shape
    if size[0] == 1:
        return A[0, 0] ** 3
    total = 1.0
    for k in range(size[1]):
        total = total * (A[0, k] + in_a_loop(A[1:, : size[1] - 1 or 1]))
    return total


def with_options(A: Any, options: Any = ((1, 2), {"p": 3})) -> Any:
    if len(A) == 1:
        return np.sum(A ** options[1]["p"])
    return np.sum(np.cos(A[0])) * with_options(A[1:], options) * options[0][1]


FUNCTIONS = [determinant, halves, by_rows, in_a_loop, with_options]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_reverse_over_reverse(f: Callable[..., Any]) -> None:
    A = np.random.default_rng(0).normal(size=(3, 3))
    slope, v = rg.grad(f), np.random.default_rng(1).normal(size=(3, 3))
    (product,) = rg.vjp(slope, A, wrt=0)[1](v)
    step = 1e-5
    want = (slope(A + step * v) - slope(A - step * v)) / (2 * step)
    np.testing.assert_allclose(product, want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(product, rg.hvp(f, (A,), v), rtol=1e-9, atol=1e-12)


def test_a_zero_stands_for_zeros_of_any_structure() -> None:
    from retrograd.runtime.helpers import linear

    like = (2.0, (1.0, 3.0), {"w": np.ones(2), "k": [1.0]})
    made = linear.match((5.0, 0.0, 0.0), like)
    assert made[:2] == (5.0, (0.0, 0.0))
    assert made[2]["k"] == [0.0]
    np.testing.assert_array_equal(made[2]["w"], np.zeros(2))
    with pytest.raises(ValueError, match="different lengths"):
        linear.match((5.0, 1.0, 0.0), like)
