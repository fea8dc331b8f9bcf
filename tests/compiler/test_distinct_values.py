"""`np.unique` with places and counts; options by which NumPy may use the memory of what it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import pushed, taped

X = np.array([1.3, 0.7, 2.1])


def counts(x):
    values, n = np.unique(np.concatenate([x, x]), return_counts=True)
    return np.sum(values**2 * n)


def inverse(x):
    values, places = np.unique(x, return_inverse=True)
    return np.sum(values[places] ** 2 * np.arange(3))


def of_a_matrix(x):
    values, places = np.unique(np.outer(x, x), return_inverse=True)
    return np.sum(np.sin(values[places]) * np.arange(9).reshape(3, 3))


def all_of_them(x):
    values, first, places, n = np.unique(np.append(x, x[0]), True, True, True)
    return np.sum(values * n) * x[first][0] + values[places[0]] ** 2


def rows(x):
    values, n = np.unique(np.stack([x, x * 2.0, x]), axis=0, return_counts=True)
    return np.sum(values**2 * n[:, None])


def rows_alone(x):
    return np.sum(np.unique(np.stack([x, x * 2.0]), axis=0) ** 3)


def groups(x):
    labels, places = np.unique(np.round(x), return_inverse=True)
    return sum(np.sum(x[places == k]) ** 2 for k in range(len(labels)))


def chosen(x, n=True):
    found = np.unique(x, return_counts=n)
    return np.sum(found[0] ** 2 * found[1])


def plain(x):
    return np.unique(x, return_index=False)[1] ** 2


def scratch(x):
    y = x * x
    z = np.copy(x)
    return (
        np.median(y, overwrite_input=True)
        * np.quantile(z, 0.3, overwrite_input=True)
        * np.percentile(x * 2.0, 30, overwrite_input=True)
    )


PROGRAMS = [
    counts, inverse, of_a_matrix, all_of_them, rows, rows_alone, groups, chosen, plain, scratch,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_both_modes(program: Any) -> None:
    e, v = 1e-6 * np.eye(3), np.array([0.3, -1.1, 0.7])
    expected = np.array([(program(X + d) - program(X - d)) / 2e-6 for d in e])
    gradient = rg.grad(program, strict=True)
    np.testing.assert_allclose(gradient(X), expected, rtol=1e-6)
    np.testing.assert_allclose(rg.jvp(program, (X,), (v,))[1], expected @ v, rtol=1e-6)
    second = (gradient(X + 1e-5 * v) - gradient(X - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(rg.hvp(program, (X,), v), second, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p is not scratch], ids=lambda f: f.__name__
)
def test_on_the_tape(program: Any) -> None:
    v = np.array([0.3, -1.1, 0.7])
    expected = rg.grad(program, strict=True)(X)
    np.testing.assert_allclose(taped(program, X)[1](1.0), expected, rtol=1e-6)
    np.testing.assert_allclose(pushed(program, (v,), X)[1], expected @ v, rtol=1e-6)
