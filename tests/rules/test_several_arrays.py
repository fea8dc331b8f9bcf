"""Functions of several arrays: a list of known length, one of unknown length, or an array for its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import Chain
from retrograd.transforms.specialise.eager_fallback import eager_vjp

ROWS = np.arange(1.0, 7.0).reshape(2, 3)
PLANES = np.arange(1.0, 13.0).reshape(2, 2, 3)
JOINS = (
    np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.block, np.array,
)  # fmt: skip


def of_array(join: Any) -> Callable[[Any], Any]:
    return lambda x: join(2.0 * x)


def of_argument(join: Any) -> Callable[[Any], Any]:
    return lambda x: join(x)


def of_list(join: Any) -> Callable[[Any], Any]:
    return lambda x: join([2.0 * row for row in x])


def of_two(join: Any) -> Callable[[Any], Any]:
    return lambda x: join([2.0 * x[0], x[-1]])


@pytest.mark.parametrize("join", JOINS, ids=lambda join: join.__name__)
@pytest.mark.parametrize("given", [of_array, of_argument, of_list, of_two])
@pytest.mark.parametrize("x", [ROWS[:1], PLANES], ids=["one row", "planes"])
def test_gradients_of_joined_arrays(join: Any, given: Any, x: Any) -> None:
    f = given(join)
    wanted = f(x)
    c = np.cos(np.arange(wanted.size)).reshape(wanted.shape)
    slope = np.sum(c * f(1.5 * x)) - np.sum(c * f(0.5 * x))
    for value, pull in (rg.vjp(f, x), eager_vjp(Chain(f), Chain(f).positions((0,))[0], [x])):
        np.testing.assert_array_equal(value, wanted)
        (bar,) = [pull(c)] if isinstance(pull(c), np.ndarray) else pull(c)
        assert isinstance(bar, np.ndarray) and bar.shape == x.shape
        assert np.sum(bar * x) == pytest.approx(slope)
