"""Tuples that are joined to shapes of which only the run tells the length: ``shape + (4,)``, ``shape += (1,)``."""

# ruff: noqa: RUF005 -- the sums are what is tested

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.random.default_rng(3).normal(size=(3, 4))


def common(x: Any) -> Any:
    shape = np.broadcast(x[..., 0], x[0, 0]).shape
    return np.sum(np.broadcast_to(x, shape + (x.shape[1],)) ** 2)


def common_as_an_object(x: Any) -> Any:
    both = np.broadcast(x[..., 0], 1.0)
    places = np.broadcast_to(x[..., 0], both.shape)[..., np.newaxis]
    return np.sum(places**2 * np.broadcast_to(x, both.shape + (x.shape[1],)))


def promoted(v: Any) -> Any:
    return np.concatenate((np.zeros(v.shape[:-1] + (1,)), v), axis=-1)


def of_a_helper(x: Any) -> Any:
    return np.sum(promoted(np.broadcast_to(x, np.broadcast(x, x[0]).shape)) ** 2)


def common_shapes(x: Any) -> Any:
    shape = np.broadcast_shapes(x.shape, x[0].shape)
    n, m = shape
    return np.sum(np.zeros((2,) + shape) + x**2) * n * m + sum(shape) * x[0, 0]


def longer_than_one(x: Any) -> Any:
    shape = np.broadcast_shapes(x[0].shape, x.shape, (1, 1, 1))
    return np.sum(x**2) * len(shape + (2,)) * len(np.broadcast_shapes(3, (2, 1)))


def counted(x: Any) -> Any:
    shape = tuple([n for n in x.shape])
    return np.sum(np.broadcast_to(x, (2,) + shape) ** 2) + np.sum(np.zeros(shape + (1,))) * x[0, 0]


def added(x: Any) -> Any:
    shape = tuple([n for n in x.shape])
    shape += (1,)
    return np.sum(x.reshape(shape) ** 2) * sum(shape) * len(shape)


def chosen_and_added(x: Any) -> Any:
    shape = tuple([n for n in x.shape if n > 0])
    shape += (1, 2)
    return np.sum(x**2) * shape[0]


def doubled(x: Any) -> Any:
    shape = (1,) + tuple([n for n in x.shape])
    shape += shape
    return np.sum(x**2) * len(shape)


def repeated(x: Any) -> Any:
    shape = tuple([n for n in x.shape])
    shape *= 2
    return np.sum(x**2) * len(shape)


def a_list(x: Any) -> Any:
    shape = [n for n in x.shape if n > 0]
    other = shape
    shape += (1, 2)
    return np.sum(x**2) * shape[0] * len(other)


def an_array_under_two_names(x: Any) -> Any:
    sizes = np.array([n for n in x.shape])
    other = sizes
    sizes += (1, 2)
    return np.sum(x**2) * other[0] * sizes[1]


PROGRAMS = [
    common, common_as_an_object, of_a_helper, common_shapes, longer_than_one, counted, added,
    chosen_and_added, doubled, repeated, a_list, an_array_under_two_names,
]  # fmt: skip


def slopes(f: Callable[..., Any], x: Any) -> Any:
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        h = np.zeros_like(x)
        h[i] = 1e-6
        found[i] = (f(x + h) - f(x - h)) / 2e-6
    return found


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    gradient = rg.grad(f, strict=True)
    for x in (X, X[:2], 2 * X[:, :3]):  # other shapes, by the same derivative
        want, way = slopes(f, x), np.cos(np.arange(x.size)).reshape(x.shape)
        np.testing.assert_allclose(gradient(x), want, rtol=1e-6, atol=1e-6)
        slope = np.sum(want * way)
        np.testing.assert_allclose(rg.jvp(f, (x,), (way,))[1], slope, rtol=1e-6, atol=1e-6)
        h = 1e-6 * way
        second = (gradient(x + h) - gradient(x - h)) / 2e-6
        found = rg.hvp(f, (x,), way, strict=True)
        np.testing.assert_allclose(found, second, rtol=1e-6, atol=1e-5)


def test_what_adds_a_number_to_a_tuple_is_no_sum() -> None:
    def f(x: Any) -> Any:
        shape = tuple([n for n in x.shape])
        return np.sum(x**2) * len(shape + 1)

    with pytest.raises((rg.RetrogradError, TypeError)):
        rg.grad(f, strict=True)(X)
