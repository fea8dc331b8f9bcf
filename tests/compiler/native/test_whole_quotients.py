"""Quotients of NumPy's integers by 0 and by -1, at which a processor would end the process."""

from __future__ import annotations

import shutil
import warnings

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
FEW = np.array([0, 3, -1, 0, -2])
MANY = np.array([7, np.iinfo(np.int64).min, np.iinfo(np.int64).min, -7, 9])


def quotients(x, i, j):
    return np.sum(x * (i // j)) * 1e-9 + np.sum(x)


def remainders(x, i, j):
    return np.sum(x * (i % j)) + np.sum(x)


def of_a_number(x, i, j):
    return x[np.searchsorted(np.sort(x), 0.1) % np.sum(i * 0) :].sum() * x[0]


@pytest.mark.parametrize("f", [quotients, remainders, of_a_number])
def test_by_nothing_and_by_less_than_nothing(f):
    x = np.array([0.3, 1.2, -0.7, 0.1, 2.0])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        want, kernel = rg.value_and_grad(f), rg.value_and_grad(f, backend="c")
        for given in ((x, MANY, FEW), (x, FEW, MANY)):
            known = want(*given)
            for _ in range(2):
                found = kernel(*given)
                np.testing.assert_allclose(found[0], known[0], rtol=1e-12)
                np.testing.assert_allclose(found[1], known[1], rtol=1e-12)


def of_one(x, n):
    total = 0.0
    for k in range(len(x)):
        total = (
            total
            + (x[k] // 1) * x[k]
            + (x[k] // 1.0) * (x[k] % 1)
            + (n // 1) * x[k]
            + (k // 1) * x[k]
        )
    return total


def of_one_at_once(x, n):
    return np.sum((x // 1) * x + (x // 1.0) * x + np.floor_divide(x, n) * x)


@pytest.mark.parametrize("f", [of_one, of_one_at_once])
@pytest.mark.parametrize("n", [1, 1.0, 3, 1.5])
def test_fractions_by_one(f, n):
    x = np.array([0.3, 1.2, -0.7, 0.1, 2.9])
    want = rg.value_and_grad(f)(x, n)
    kernel = rg.value_and_grad(f, backend="c")
    for _ in range(2):
        found = kernel(x, n)
        np.testing.assert_allclose(found[0], want[0], rtol=1e-12)
        np.testing.assert_allclose(found[1], want[1], rtol=1e-12)
