"""A sample of the rows: their derivatives have the dtypes of what they belong to (`python -m tests.operations.dtypes`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from .dtypes import EXCEPTIONS, kind_of, looped, tried
from .rows import Row, rows

pytest.importorskip("scipy")
pytestmark = pytest.mark.usefixtures("unchecked")
ROWS = [row for row in rows() if row.expression not in EXCEPTIONS]
SCALARS = [row for row in ROWS if "s" in row.arguments][1::12]


@pytest.mark.parametrize("row", [*ROWS[11::97], *SCALARS], ids=lambda row: row.name)
def test_derivatives_have_the_dtypes_of_what_they_belong_to(row: Row) -> None:
    found = [pair for form in (row, looped(row)) for pair in tried(form, ("float32", "complex64"))]
    assert [pair for pair in found if pair[1] and not pair[1].startswith("refused")] == []


def in_a_loop(x):
    for _ in range(3):
        x = 2 * x
    return np.sum(x)


def in_a_branch(x, n):
    y = 2.0 * x if n > 1 else x
    return np.sum(y * y)


def residual(x):
    a = np.stack([x, np.ones_like(x)], 1)
    return np.linalg.lstsq(a, x * x, rcond=None)[1].sum()


def from_a_list(x):
    y = x.tolist()
    return y[0] * y[1]


def to_a_number(x):
    return np.sum(WEIGHTS * helped(x))


def helped(x):
    return x * x


WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
X = np.array([0.5, 0.7, 0.9, 1.1], np.float32)


@pytest.mark.parametrize("f", [in_a_loop, residual, from_a_list, to_a_number])
def test_gradients_in_single_precision(f: Any) -> None:
    assert rg.grad(f)(X).dtype == np.float32
    np.testing.assert_allclose(rg.grad(f)(X), rg.grad(f)(X.astype(float)), rtol=2e-5, atol=1e-4)


def test_a_branch() -> None:
    for n in (1, 2):
        assert rg.grad(in_a_branch)(X, n).dtype == np.float32


def weighed_number(s, c):
    y = s
    for i in range(3):
        y = y * s + i
    return np.sum(c * y)


def read_from(s, c):
    return np.sum(c * weighed_number(s, c[:2]) if s > 0 else c)


@pytest.mark.parametrize("f", [weighed_number, read_from])
def test_the_gradient_of_a_number_is_a_number(f: Any) -> None:
    bars = rg.grad(f, wrt=(0, 1))(0.4, WEIGHTS)
    assert [kind_of(bar) for bar in bars] == ["float", "float64"]


@pytest.mark.parametrize("backend", ["numba", "c"])
def test_kernels_stretch_numbers_in_the_precision_of_arrays(backend: str) -> None:
    try:
        g = rg.grad(in_a_loop, backend=backend)
        bar = g(X)
    except (ImportError, rg.RetrogradError) as error:
        pytest.skip(str(error))
    assert bar.dtype == np.float32
    np.testing.assert_array_equal(bar, 8 * np.ones(4, np.float32))
