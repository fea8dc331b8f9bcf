"""`y += e` where something else shows the same memory: the value it has then, or an error."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

X = np.array([0.5, -1.2, 2.0, 0.3])


def chosen(x):
    y = np.exp(x)
    z = y if x[0] > 0 else x * 2
    y += 1
    return np.sum(z * y)


def branch(x):
    y = np.exp(x)
    if x[0] > 0:
        z = y
    else:
        z = x * 1
    y += 1
    return np.sum(z * y)


def conjunction(x):
    y = np.exp(x)
    z = x[0] > 0 and y
    y += 1
    return np.sum(y * z)


def previous_round(x):
    y, z, s = np.exp(x), x * 1, 0.0
    for _ in range(3):
        y += x
        s = s + np.sum(z * y)
        z = y
    return s


def container(x):
    y, z, s = np.exp(x), [x * 1], 0.0
    for _ in range(3):
        y += x
        s = s + np.sum(z[0] * y)
        z = [y]
    return s


def contiguous(x):
    y = np.exp(x)
    z = np.ascontiguousarray(y)
    y += 1
    return np.sum(y * z)


def cast(x):
    y = np.exp(x)
    z = y.astype(float, copy=False)
    y += 1
    return np.sum(y * z)


def stopped(x):
    y = np.exp(x)
    z = rg.stop_gradient(y)
    y += 1
    return np.sum(y * z)


def split(x):
    y = np.exp(x)
    a, b = np.split(y, 2)
    y += 1
    return np.sum(a * b)


def mask(x):
    m = x > 0
    n = m
    m &= x < 1
    return np.sum(np.where(n, x**2, x))


def mask_slice(x):
    m = x > 0
    n = m[1:]
    m |= x < 1
    return np.sum(np.where(n, x[1:] ** 2, x[1:]))


def rank_zero(x):
    s = np.array(x[0])
    t = s
    s += 1.0
    return s * t


def rank_zero_where(x):
    s = np.where(x[0] > 0, x[1], x[2])
    t = s
    s *= 2.0
    return s * t


def rank_zero_loop(x):
    s = np.array(1.0)
    for i in range(3):
        t = s
        s += x[i]
        s = s + t
    return s


def increment(s):
    s += 1.0
    return s


def rank_zero_helper(x):
    s = np.array(x[0])
    return increment(s) * s


UNCLEAR = [previous_round, container, cast, split, rank_zero_loop]


def test_what_is_contiguous_is_known() -> None:
    rg.check_grads(contiguous, (X,))


@pytest.mark.parametrize("f", [chosen, branch, conjunction])
def test_a_choice_between_arrays_is_right(f: Callable[..., Any]) -> None:
    rg.check_grads(f, (X,), order=2)


@pytest.mark.parametrize("f", UNCLEAR, ids=lambda f: f.__name__)
def test_a_write_that_another_name_may_show_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.grad(f)(X)


SHOWN = [mask, mask_slice, rank_zero, rank_zero_where, rank_zero_helper]


@pytest.mark.parametrize("f", SHOWN, ids=lambda f: f.__name__)
def test_a_write_that_another_name_shows(f: Callable[..., Any]) -> None:
    value, _ = rg.value_and_grad(f)(X)
    assert value == f(X)
    rg.check_grads(f, (X,))


def test_a_stopped_gradient_shows_the_write_and_stays_stopped() -> None:
    value, bar = rg.value_and_grad(stopped)(X)
    assert value == stopped(X)
    np.testing.assert_allclose(bar, np.exp(X) * (np.exp(X) + 1))


def test_a_mask_argument_is_written_to_as_the_function_does() -> None:
    def f(x, m):
        m &= x < 1
        return np.sum(np.where(m, x**2, x))

    used, changed = X > 0, X > 0
    value, bar = rg.value_and_grad(f)(X, used)
    assert value == f(X, changed)
    np.testing.assert_array_equal(used, changed)
    np.testing.assert_allclose(bar, np.where(changed, 2 * X, 1))


def scalars(x):
    s = np.sum(x)
    t = s
    s += 1.0
    u = x[0]
    v = u
    u *= s
    return t * s * u * v


def helper_of_a_scalar(x):
    s = np.sum(x)
    return increment(s) * s


def accumulated(x):
    y = np.zeros(4)
    for i in range(3):
        for j in range(2):
            y += x * i
            if j > i:
                break
        y *= 2
    if x[0] > 0:
        y -= x
    else:
        y += x
    y **= 2
    return np.sum(y)


@pytest.mark.parametrize("f", [scalars, helper_of_a_scalar, accumulated], ids=lambda f: f.__name__)
def test_writes_that_nobody_else_sees_are_taken(f: Callable[..., Any]) -> None:
    value, _ = rg.value_and_grad(f)(X)
    assert value == f(X)
    rg.check_grads(f, (X,))


def filled_by_key(x):
    table = collections.defaultdict(float)
    for k in range(len(x)):
        table[k % 2] += x[k] * x[k]
    return table[0] * table[1]


def test_what_is_written_to_in_a_loop_is_an_array() -> None:
    rg.check_grads(filled_by_key, (X,), order=2)


def bumped(a, b):
    a[0] += 0.5
    return b


def each_the_other(x, y):
    """What either of two arrays holds depends on what the other one holds."""
    if np.sum(y) > 0.0:
        y = x
    for r, s in zip(y, bumped(x, y), strict=True):
        r += 0.5 * s
    return np.sum(x * x)


def test_two_arrays_that_may_each_be_the_other_are_refused():
    x, y = np.array([[0.3, 1.0], [-0.4, 1.4]]), np.array([[0.0, 0.5], [0.9, 1.0]])
    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.grad(each_the_other, (0, 1), strict=True)(x, y)
