"""Coordinates of grids, and elements and arrays that are repeated: whole kernels, with the numbers of the text."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.kernels.judge import WHOLE, watched
from tests.fuzz.native import same


def dense(x, n):
    i, j = np.mgrid[0 : x.shape[0], 0 : x.shape[1]]
    return np.sum(x * np.exp(-0.1 * i) * np.cos(j))


def dense_of_fractions(x, n):
    grid = np.mgrid[1 : x.shape[0] + 1, 0:1:4j]
    return np.sum(grid[0] * x * x) + np.sum(np.sin(grid * x[0, 0]))


def open_grid(x, n):
    i, j = np.ogrid[: x.shape[0], : x.shape[1]]
    return np.sum(x * np.sin(i + 2 * j))


def indices(x, n):
    i, j = np.indices(x.shape)
    rows = np.indices((n, 3), sparse=True)[0]
    return np.sum(np.exp(-np.hypot(i - 1.5, j - 1.0) * x)) + np.sum(np.cos(rows * x[0, 0]))


def one_axis(x, n):
    return np.sum(x * np.mgrid[0 : x.shape[1]])


def whole_grid(x, n):
    return np.sum(np.sum(np.indices(x.shape), axis=0) * x) + np.mgrid[:n, :2][1, n - 1, 1] * x[0, 1]


def columns(x, n):
    return np.sum(np.sin(np.repeat(x, 2, axis=1) * np.arange(8.0)))


def elements(x, n):
    return np.sum(np.sin(np.repeat(x, n) * np.arange(20 * n)))


def rows(x, n):
    return np.sum(np.sin(x.repeat(3, axis=0))[1:4])


def tiles(x, n):
    return np.sum(np.cos(np.tile(x, (n, 2)))[:, 1] ** 2)


def tiles_of_a_row(x, n):
    return np.sum(np.cos(np.tile(x[0], 3) * np.arange(12)) ** 2)


def tiles_of_more_axes(x, n):
    return np.sum(np.cos(np.tile(x, (2, 1, 3)) * 0.3)[1] ** 2) + np.sum(np.tile(x[:, 0], (n, 1)))


def complex_elements(x, n):
    return np.sum(np.abs(np.repeat(x + 1j * x, n, axis=-1)) ** 2)


def none(x, n):
    return np.sum(np.repeat(x, 0, axis=0)) + np.sum(np.tile(x, (0, 2))) + np.sum(x)


FUNCTIONS = [
    dense, dense_of_fractions, open_grid, indices, one_axis, whole_grid, columns, elements, rows, tiles,
    tiles_of_a_row, tiles_of_more_axes, complex_elements, none,
]  # fmt: skip
X = np.random.default_rng(0).normal(size=(5, 4))


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_a_whole_kernel(fn):
    plain = rg.value_and_grad(fn, 0, check=None)
    with watched("c") as watch:
        kernel = rg.value_and_grad(fn, 0, backend="c", check=None)
        for n in (3, 1, 2):
            assert same(kernel(X, n), plain(X, n), 1e-12)
    assert (watch.extent, watch.left) == (WHOLE, 0)


@pytest.mark.parametrize("fn", [elements, tiles, complex_elements])
def test_fewer_than_none_is_the_texts_to_raise(fn):
    kernel = rg.grad(fn, backend="c")
    kernel(X, 2)
    with pytest.raises(ValueError, match="negative"):
        kernel(X, -1)
