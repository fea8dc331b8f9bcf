"""Functions of ``math`` with as many numbers as Python takes."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.reader.python.operators import MATH, how_many

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def logarithms(x, a):
    return np.sum(x) * math.log(a, 2) + math.log(x[0] + 2.0, a) * math.log(a)


def distances(x, a):
    return np.sum(x) * math.hypot(a, x[0], 0.5) + math.hypot(a, 1.0) + math.hypot(a)


def bases_that_are_one(x, a):
    return np.sum(x) * math.log(a, x[1])


@pytest.mark.parametrize("f", [logarithms, distances])
def test_more_numbers_than_usual(f):
    x = np.array([0.3, 1.0, 0.7])
    want, kernel = rg.value_and_grad(f, (0, 1)), rg.value_and_grad(f, (0, 1), backend="c")
    for _ in range(2):
        for found, known in zip(kernel(x, 1.7)[1], want(x, 1.7)[1], strict=True):
            np.testing.assert_allclose(found, known, rtol=1e-13)


def powers(x, y):
    total = 0.0 * x
    for k in range(3):
        total = total + x ** (y * k)
    return total


NOTHING = np.float64(0.0)


@pytest.mark.parametrize(
    "args",
    [(2.0, 0.5), (0.0, 1.0), (0.0, 0.0), (1.5, 0.0), (NOTHING, NOTHING), (np.float64(2.0), 0.0)],
)
def test_exponents_that_are_nothing(args):
    want, kernel = (
        rg.value_and_grad(powers, (0, 1))(*args),
        rg.value_and_grad(powers, (0, 1), backend="c"),
    )
    for _ in range(3):
        value, slopes = kernel(*args)
        np.testing.assert_allclose([value, *slopes], [want[0], *want[1]], rtol=1e-13)
    assert kernel.__native__.family.taken[None] == 0, "the kernel is left"


def test_what_python_raises_is_raised():
    x = np.array([0.3, 1.0, 0.7])
    for backend in (None, "c"):
        with pytest.raises(ZeroDivisionError):
            rg.value_and_grad(bases_that_are_one, (0, 1), backend=backend)(x, 1.7)


@pytest.mark.parametrize("name", MATH)
def test_every_function_is_of_one_number_or_of_two(name):
    numbers = (0.5,) * how_many(name)
    try:
        getattr(math, name)(*numbers)
    except ValueError:
        pass  # outside of its domain
