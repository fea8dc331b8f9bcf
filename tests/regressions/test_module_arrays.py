"""Arrays of the module are never written to through a view, a branch or a loop without a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

X = np.array([0.3, 0.5, 0.7, 0.9])
SQUARE = np.ones((2, 2))
ROW = np.arange(4.0)


def through_a_view(x):
    v = SQUARE.T
    v[0] = x[0]
    return np.sum(v * x[:2])


def through_a_slice(x):
    v = ROW[1:]
    s = np.sum(v * x[:3])
    v[0] += 2.0
    return s


def through_a_branch(x):
    v = ROW if x[0] > 0 else x * 2
    s = np.sum(v * x)
    v[0] = 3.0
    return s


def through_a_loop(x):
    v = ROW
    for _ in range(3):
        v[1] = 2 * x[0]
        v = v * x
    return np.sum(v)


@pytest.mark.parametrize(
    "f",
    [through_a_view, through_a_slice, through_a_branch, through_a_loop],
    ids=lambda f: f.__name__,
)
def test_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(MutationError, match="may be an array of the module"):
        rg.grad(f)(X)
    np.testing.assert_array_equal(ROW, np.arange(4.0))
    np.testing.assert_array_equal(SQUARE, np.ones((2, 2)))


def test_copies_are_written_to() -> None:
    def f(x):
        v, w, u = ROW[[0, 1]], ROW * 2, ROW.copy()
        v[0], w[1], u[0] = x[0], x[1], x[1]
        return np.sum(v) * np.sum(w * x) + u[0]

    rg.check_grads(f, (X,), order=2)
    np.testing.assert_array_equal(ROW, np.arange(4.0))
