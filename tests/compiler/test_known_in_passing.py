"""What is known on the way decides branches: members of sets, slices that are handed on, names of one way, flags of a module."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.arange(6.0).reshape(2, 3) + 1.0
SYMBOLIC = True


class Expression:
    """As `sympy.Expr` is: a class that no number is of."""


def derived_by_others(x):
    return {Expression}.pop()(x)


# -- sets -----------------------------------------------------------------------------------


def other_axes(x):
    total = 0.0
    for k in list(set(range(x.ndim)) - {0}):
        total = total + np.sum(x.sum(axis=k) ** 2)
    return total


def all_axes(x):
    return sum(np.sum(x.sum(axis=k) ** 3) for k in set(range(x.ndim)))


def as_tuple(x):
    return np.sum(x.sum(axis=tuple({0, 1} - {1})) ** 2)


def in_order(x):
    total = 0.0
    for k in {2, 1, 0}:
        total = total * 2.0 + np.sum(x[:, k])
    return total


# -- slices ---------------------------------------------------------------------------------


class Index:
    def __getitem__(self, at):
        return at


class Signal:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, at):
        return self.values[at] * 2.0

    def __setitem__(self, at, value):
        self.values[at] = value


index = Index()


def handed_on(x):
    return np.sum(x[index[1, 0:]] ** 2)


def in_loop(x):
    total = 0.0
    for i in range(3):
        total = total + np.sum(x[index[:, i:]] ** 2)
    return total


def of_object(x):
    s = Signal(x.copy())
    s[0, 1:] = x[0, :-1] ** 2
    return np.sum(s[:]) + np.sum(s[1, ::2]) + s[-1, -1]


# -- names of one way -----------------------------------------------------------------------


def vector_of(v):
    if isinstance(v, (int, float, np.integer, np.floating)):
        v = [v]
    if isinstance(v, (list, tuple)):
        return np.array(v)
    if isinstance(v, np.ndarray):
        return v.flatten()
    raise TypeError


def after_try(x):
    try:
        v = x / np.sqrt(x[0, 0])
    except ValueError:
        return 0.0 * x[0, 0]
    return np.sum(vector_of(v) ** 2)


def unit(x):
    size = np.sqrt(np.sum(x * x))
    if size > 1e-9:
        return x / size, size
    raise ValueError("zero")


def after_try_of_several(x):
    try:
        v, size = unit(x)
    except ValueError:
        return 0.0 * x[0, 0]
    return np.sum(vector_of(v) ** 3) * size


# -- flags ----------------------------------------------------------------------------------


def norm_by_flag(x):
    total = 0.0
    for v in x[0]:
        total += v * v
    if SYMBOLIC and isinstance(total, Expression):
        return derived_by_others(total)
    return np.sqrt(total)


def dimension(t):
    return t.ndim


def by_known_number(x):
    parts = [x[0], x[1]]
    if dimension(parts[0]) == 2:
        columns = parts[0].shape[1]
    else:
        columns = 1
        parts = [np.reshape(p, (-1, 1)) for p in parts]
    return sum(np.sum(p**2) for p in parts) * columns


FUNCTIONS = [
    other_axes, all_axes, as_tuple, in_order, handed_on, in_loop, of_object, after_try, after_try_of_several,
    norm_by_flag, by_known_number,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_they_are_compiled(f: Any) -> None:
    expected = np.zeros_like(X)
    for at in np.ndindex(X.shape):
        h = np.zeros_like(X)
        h[at] = 1e-6
        expected[at] = (f(X + h) - f(X - h)) / 2e-6
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-5, atol=1e-7)
    _, slope = rg.jvp(f, (X,), (np.ones_like(X),))
    np.testing.assert_allclose(slope, np.sum(expected), rtol=1e-5, atol=1e-6)


def test_small_numbers_are_gone_over_in_order() -> None:
    """Python's own sets of whole numbers below 8, however they came about."""
    rng = np.random.default_rng(0)
    for _ in range(2000):
        members: set[int] = set()
        for k in rng.integers(0, 30, rng.integers(1, 40)):
            (members.add if rng.random() < 0.6 else members.discard)(int(k))
        for made in (
            members & set(range(8)),
            {k for k in members if k < 8},
            members - set(range(8, 30)),
        ):
            assert list(made) == sorted(made)
            assert list(made.copy()) == sorted(made)
            assert list(frozenset(made)) == sorted(made)
