"""Packages that are imported if they are there: `torch = None` where it is not, and ways of a program that ask it."""

from __future__ import annotations

import types

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

X = np.array([0.3, 1.2, 0.7])
other = None


def is_numpy(x):
    return np.sum(x) > -50.0


def in_an_else(x):
    if np.sum(x) > 0.0:
        y = np.sum(x * x)
    else:
        y = other.sum(x, x)
    return y


def behind_a_return(x):
    if is_numpy(x):
        return np.sum(np.sin(x))
    return other.sum(x, x)


def of_a_name(x):
    y = x
    if not is_numpy(x):
        kind = other.float64
        y = x.astype(kind)
    return np.sum(y * y)


def in_a_loop(x):
    total = 0.0
    for v in x:
        if v < -50.0:
            v = other.exp(v)
        total = total + v * v
    return total


def in_an_expression(x):
    y = x * x if is_numpy(x) else other.sum(x, x)
    return np.sum(y)


def behind_or(x):
    return np.sum(x * x * 3.0) if is_numpy(x) or other.float64 is None else np.sum(x)


def on_both_sides(x):
    y = np.sum(x * x) if np.sum(x) > 0.0 else other.sum(x, x) if is_numpy(x) else other.exp(x)
    return y * 2.0


def in_the_middle(x):
    return 2.0 * np.sum(np.sin(x if is_numpy(x) else other.exp(x)) + x)


PROGRAMS = [
    in_an_expression,
    behind_or,
    on_both_sides,
    in_the_middle,
    in_an_else,
    behind_a_return,
    of_a_name,
    in_a_loop,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_ways_that_are_not_taken_do_not_matter(f):
    gradient = rg.grad(f, strict=True)(X)
    steps = 1e-6 * np.eye(3)
    np.testing.assert_allclose(gradient, [(f(X + s) - f(X - s)) / 2e-6 for s in steps], rtol=1e-6)
    assert rg.jvp(f, (X,), (X,))[1] == pytest.approx(gradient @ X)
    np.testing.assert_allclose(
        rg.hvp(f, (X,), X), (rg.grad(f)(X * 1.0001) - rg.grad(f)(X * 0.9999)) / 2e-4, rtol=1e-5
    )


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_a_way_that_is_taken_fails_as_in_python(f):
    gradient = rg.grad(f, strict=True)
    gradient(X)
    with pytest.raises(AttributeError, match="NoneType"):
        f(-100.0 * X)
    with pytest.raises(AttributeError, match="NoneType"):
        gradient(-100.0 * X)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_there_later_is_asked_then(f, monkeypatch):
    gradient = rg.grad(f, strict=True)
    gradient(X)
    there = types.SimpleNamespace(
        sum=lambda a, b: np.sum(a * b * 3.0), exp=lambda v: 2.0 * v, float64=np.float64
    )
    monkeypatch.setitem(globals(), "other", there)
    x = -100.0 * X
    steps = 1e-4 * np.eye(3)
    expected = [(f(x + s) - f(x - s)) / 2e-4 for s in steps]
    try:
        found = gradient(x)
    except RetrogradError:
        return
    np.testing.assert_allclose(found, expected, rtol=1e-6)
