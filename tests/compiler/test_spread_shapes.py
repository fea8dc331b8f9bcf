"""Calls that spread a shape, axes or a tuple that only the run knows: ``x.reshape(*shape)``, ``(1, *shape)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import book

X = np.random.default_rng(3).normal(size=(3, 4))


def ones(*shape: Any) -> Any:
    return np.ones(shape)


def of_two(n: Any, m: Any) -> Any:
    return np.ones((n, m))


def shape_of(x: Any) -> Any:
    shape = []
    for n in x.shape:
        shape.append(n)
    return shape


def reshaped(x: Any) -> Any:
    return np.sum((x**2).reshape(*shape_of(x)[::-1])[0])


def reshaped_between(x: Any) -> Any:
    return np.sum((x**2).ravel().reshape(1, *shape_of(x), 1)[0, 0])


def weighted(x: Any) -> Any:
    shape = [1] * x.ndim
    shape[0] = x.shape[0]
    return np.sum(x**2 * np.arange(x.shape[0]).reshape(*shape))


def transposed(x: Any) -> Any:
    axes = list(range(x.ndim))
    axes = axes[1:] + axes[:1]
    return np.sum(x.transpose(*axes)[0] ** 2)


def transposed_by_an_array(x: Any) -> Any:
    axes = np.argsort([2, 1])
    return np.sum(x.transpose(*axes)[0] ** 2)


def an_item(x: Any) -> Any:
    place = []
    for n in x.shape:
        place.append(n - 1)
    return np.sum(x**2) * x.item(*place)


def of_a_helper(x: Any) -> Any:
    return np.sum(x**2 * ones(*shape_of(x)))


def of_a_helper_with_parameters(x: Any) -> Any:
    return np.sum(x**2 * of_two(*shape_of(x)))


def of_a_tuple(x: Any) -> Any:
    shape = tuple([n for n in x.shape])
    return np.sum(x**2 * ones(*shape))


def in_a_display(x: Any) -> Any:
    shape = shape_of(x)
    return np.sum(np.reshape(x**2, (1, *shape))[0, 0]) + x[0, 0] * np.sum(np.ones((*shape, 2)))


def of_the_library(x: Any) -> Any:
    shape = shape_of(x)
    return np.sum(x**2 * np.zeros(shape)) + np.sum(np.broadcast_to(x[0] ** 2, shape))


PROGRAMS = [
    reshaped, reshaped_between, weighted, transposed, transposed_by_an_array, an_item, of_a_helper,
    of_a_helper_with_parameters, of_a_tuple, in_a_display, of_the_library,
]  # fmt: skip


def slopes(f: Callable[..., Any], x: Any, step: float = 1e-6) -> Any:
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        h = np.zeros_like(x)
        h[i] = step
        found[i] = (f(x + h) - f(x - h)) / (2 * step)
    return found


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    gradient = rg.grad(f, strict=True)
    for x in (X, X[:2], 2 * X[:, :3]):  # other shapes, by the same derivative
        want, way = slopes(f, x), np.cos(np.arange(x.size)).reshape(x.shape)
        np.testing.assert_allclose(gradient(x), want, atol=1e-6)
        np.testing.assert_allclose(rg.jvp(f, (x,), (way,))[1], np.sum(want * way), atol=1e-6)
        h = 1e-6 * way
        second = (gradient(x + h) - gradient(x - h)) / 2e-6
        np.testing.assert_allclose(rg.hvp(f, (x,), way, strict=True), second, atol=1e-6)


def with_any_number() -> list[Any]:
    """The methods of arrays whose rules take ``*args``."""
    methods = [m for m in vars(np.ndarray).values() if callable(m) and m in book.rules]
    rules = [(m, inspect.signature(book.rules[m].differential)) for m in methods]
    return [
        m for m, own in rules if any(p.kind is p.VAR_POSITIONAL for p in own.parameters.values())
    ]


def test_such_methods_take_one_tuple_as_well() -> None:
    arguments = {np.ndarray.reshape: (4, 3), np.ndarray.transpose: (1, 0), np.ndarray.item: (1, 2)}
    assert set(with_any_number()) == set(arguments)
    for method, given in arguments.items():
        np.testing.assert_array_equal(method(X, *given), method(X, given))


def test_no_more_than_the_parameters() -> None:
    def f(x: Any) -> Any:
        return np.sum(x * of_two(*[*shape_of(x), 1]))

    with pytest.raises((rg.RetrogradError, TypeError, ValueError)):
        rg.grad(f, strict=True)(X)
