"""Sums into new zeros that may be assignments, and those that may not."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg


def every_element(x):
    total = 0.0
    for i in range(len(x)):
        total = total + x[i] ** 3
    return total


def every_entry(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total = total + x[i, j] ** 3
    return total


def parts(x, n):
    size = len(n)
    return np.sum(x[:size] ** 2) + np.sum(x[2 * size :] ** 3) + np.sum(x[size : 2 * size] ** 4)


def first_and_last(x):
    return x[0] * 2.0 + x[1] * x[2]


def neighbours(x):
    total = 0.0
    for i in range(len(x) - 1):
        total = total + x[i] * x[i + 1]
    return total


def again_and_again(x, times):
    total = 0.0
    for k in range(times):
        for i in range(len(x)):
            total = total + k * x[i] ** 2
    return total


def round_the_end(x):
    total = 0.0
    for i in range(-2, len(x)):
        total = total + x[i] ** 2
    return total


def overlapping(x, n):
    size = len(n)
    return np.sum(x[: 2 * size] ** 2) + np.sum(x[size:] ** 3)


def from_both_ends(x):
    return x[0] ** 2 * x[-3] ** 3


def same_twice(x, i, j):
    return x[i] ** 2 * x[j] ** 3


def some_of_them(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            total = total + x[i] ** 2
    return total


X = np.array([0.3, -0.7, 1.1])
SQUARE = np.random.default_rng(0).normal(size=(3, 2))
LONG = np.random.default_rng(1).normal(size=7)


@pytest.mark.parametrize(
    ("f", "given", "sums"),
    [
        (every_element, (X,), 0),
        (every_entry, (SQUARE,), 0),
        (parts, (LONG, X), 0),
        (first_and_last, (X,), 0),
        (neighbours, (X,), 2),
        (again_and_again, (X, 3), 1),
        (round_the_end, (X,), 1),
        (overlapping, (LONG, X), 1),
        (from_both_ends, (X,), 1),
        (same_twice, (X, 1, 1), 1),
        (some_of_them, (X,), 0),
    ],
    ids=lambda p: getattr(p, "__name__", None),
)
def test_sums_that_stay_sums(f: Any, given: Any, sums: int) -> None:
    """So many, and the gradient is right."""
    text = rg.differentiate(f).source("grad", *given)
    assert text.count("] +=") + text.count("] -=") == sums
    rg.check_grads(f, given, order=1, modes=("rev",))
