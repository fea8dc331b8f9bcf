"""``out`` given by position is a write like ``out=``, never ignored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def clip(x):
    y = np.exp(x)
    np.clip(y, 0, 1, y)
    return y[0]


def clip_method(x):
    y = np.exp(x)
    y.clip(0, 1, y)
    return y[0]


def cumsum(x):
    y = np.exp(x)
    np.cumsum(y, 0, None, y)
    return y[1]


def round_method(x):
    y = np.exp(x)
    y.round(0, y)
    return y[0]


def sum_into(x):
    y = np.exp(x)
    np.sum(y, 0, None, y[0:1].reshape(()))
    return y[0]


def joined(x):
    y = np.exp(x)
    np.concatenate([y[:1], y[:1]], 0, y)
    return y[1]


def dot_into(x):
    y = np.exp(x)
    np.dot(np.eye(2), y, y)
    return y[1]


def cleaned(x):
    y = np.exp(x)
    np.nan_to_num(y, False)
    return np.sum(y)


WRITERS = [clip, clip_method, cumsum, round_method, joined, dot_into, cleaned]


@pytest.mark.parametrize("f", WRITERS, ids=lambda f: f.__name__)
def test_a_positional_out_is_written_to(f: Callable[..., Any]) -> None:
    x = np.array([0.5, -1.2])
    value, _ = rg.value_and_grad(f)(x)
    assert value == f(x)
    rg.check_grads(f, (x,))


def test_a_reshaped_out_is_written_to() -> None:
    rg.check_grads(sum_into, (np.array([0.5, -1.2]),))


def test_positions_before_out_are_taken() -> None:
    def f(x):
        return np.sum(np.clip(x, 0, 1)) + np.cumsum(x, 0)[1] + x.round(1)[0]

    x = np.array([0.5, 0.2])
    assert rg.value_and_grad(f)(x)[0] == f(x)
    np.testing.assert_allclose(rg.grad(f)(x), [2.0, 2.0])
