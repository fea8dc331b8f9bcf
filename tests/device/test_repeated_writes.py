"""Places that are written to twice: on the device any of the writes may win, and no derivative may rely on which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import leaves

pytestmark = pytest.mark.cupy
RNG = np.random.default_rng(2)
PLACES = np.array([0, 2, 0, 1, 2])
X, V, ROWS = RNG.normal(size=4), RNG.normal(size=5), RNG.normal(size=(4, 5))


def items(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    y[i] = v * v
    return np.sum(y**3 * x)


def read_and_written(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    y[i] = y[i] * v
    return np.sum(y**2)


def augmented(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    y[i] += v
    return np.sum(y**2)


def columns(x: Any, v: Any, i: Any) -> Any:
    y = np.outer(x, x)
    y[1:, i] = v
    return np.sum(y**3)


def in_a_view(x: Any, v: Any, i: Any) -> Any:
    y = np.outer(x, x)
    y[1:].T[i] = v[:, None] * x[1:]
    return np.sum(y**2 * y)


def pairs(x: Any, v: Any, i: Any) -> Any:
    y = np.outer(x, x)
    y[i, i] = v
    return np.sum(y**2)


def numbers(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    y[i] = v[0]
    return np.sum(y**2)


def twice(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    y[i] = v
    y[i[::-1]] = v * y[i]
    return np.sum(y**2)


def in_a_loop(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    for _ in range(3):
        y[i] = v * y[i] + 1.0
    return np.sum(y)


def added(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    np.add.at(y, i, v)
    return np.sum(y**2)


def put(x: Any, v: Any, i: Any) -> Any:
    y = x * 1.0
    np.put(y, i, v)
    return np.sum(y**2)


WRITES = [
    items,
    read_and_written,
    augmented,
    columns,
    in_a_view,
    pairs,
    numbers,
    twice,
    in_a_loop,
    added,
    put,
]


each = pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)


@each
def test_gradients(cupy: Any, unchecked: None, write: Callable[..., Any]) -> None:
    gradient = rg.value_and_grad(write, wrt=(0, 1))
    wanted = gradient(X, V, PLACES)
    for _ in range(4):  # another of the writes may win each time
        close(gradient(*map(cupy.asarray, (X, V, PLACES))), wanted)


@each
def test_tangents(cupy: Any, unchecked: None, write: Callable[..., Any]) -> None:
    dots = np.cos(X), np.sin(V)
    wanted = rg.jvp(write, (X, V, PLACES), (*dots, None))
    for _ in range(4):
        found = rg.jvp(
            write, tuple(map(cupy.asarray, (X, V, PLACES))), (*map(cupy.asarray, dots), None)
        )
        close(found, wanted)


def close(found: Any, wanted: Any) -> None:
    for a, b in zip(leaves(found), leaves(wanted), strict=True):
        np.testing.assert_allclose(a.get(), b, 1e-12)
