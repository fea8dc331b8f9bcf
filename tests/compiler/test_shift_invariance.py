"""The largest entry has no adjoint where it cancels, and has one everywhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.random.default_rng(0).normal(size=(4, 3))
SIG = "x: f8[n, d]"


def log_sum_exp(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1)))


def softmax_of_all(x):
    e = np.exp(x - x.max())
    return np.sum((e / np.sum(e)) ** 2)


def softmax_by_columns(x):
    e = np.exp(x - np.max(x, axis=0))
    return np.sum(x * (e / e.sum(axis=0)))


def log_softmax(x):
    s = x - np.amax(x, axis=-1, keepdims=True)
    return np.mean(s - np.log(np.sum(np.exp(s), axis=-1, keepdims=True)) - x * 0.5)


def scaled(x):
    m = np.min(x, axis=1, keepdims=True)
    return np.sum(np.exp(2.0 * (x - m)) / np.exp(-m * 2.0) / np.exp(4.0 * m))


CANCEL = [log_sum_exp, softmax_of_all, softmax_by_columns, log_softmax]


def not_added_again(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(x - m), axis=1)))


def along_the_other_axis(x):
    e = np.exp(x - np.max(x, axis=0))
    return np.sum((e / np.sum(e, axis=1, keepdims=True)) ** 2)


def squared(x):
    return np.sum((x - np.max(x, axis=1, keepdims=True)) ** 2)


def in_a_loop(x):
    m = np.max(x)
    total = 0.0
    for row in x:
        total = total + np.sum(np.exp(row - m))
    return total


def summed_not_averaged(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(np.exp(np.sum(x - m, axis=1, keepdims=True) + m))


STAY = [scaled, not_added_again, along_the_other_axis, squared, in_a_loop, summed_not_averaged]


def differences(f: Callable[..., Any], x: Any, h: float = 1e-6) -> Any:
    slopes = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = h
        slopes[place] = (f(x + step) - f(x - step)) / (2 * h)
    return slopes


@pytest.mark.parametrize("f", [*CANCEL, *STAY], ids=lambda f: f.__name__)
def test_gradients_are_right(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(rg.grad(f)(X), differences(f, X), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(rg.hessian(f)(X), rg.jacobian(rg.grad(f))(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("f", [*CANCEL, *STAY], ids=lambda f: f.__name__)
def test_ties_are_shared_where_it_stays(f: Callable[..., Any]) -> None:
    text = rg.differentiate(f).source("grad", sig=SIG)
    assert ("share_ties" in text) is (f in STAY)
