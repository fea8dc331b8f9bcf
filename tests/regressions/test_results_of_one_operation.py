"""Several results of one operation are several values: a divisor cancels against itself alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def saved_numbers(s, g, p):
    u = g * s * s
    return math.sin(u / 2.0) + math.exp(u / p)


def saved_arrays(s, g, p):
    u = g * s * s
    return np.sum(np.sin(u / 2.0) + np.exp(u / p))


def unpacked(s, g, p):
    u, v = np.array([1.0 + s, p * g])
    return math.sin(u * u / 2.0) + math.exp(u * u / v)


def whole_and_rest(s, g, p):
    v, u = divmod(s + p, 0.9)
    return g * (np.sin(u * u / 2.0) + np.exp(u * u / v))


NUMBERS = (0.7, 1.1, 1.9)
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (saved_numbers, NUMBERS),
    (saved_arrays, tuple(np.full(2, v) for v in NUMBERS)),
    (unpacked, NUMBERS),
    (whole_and_rest, NUMBERS),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_results_are_told_apart(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    steps = np.eye(3) * 1e-6
    up, down = ([f(*map(np.add, args, step * sign)) for step in steps] for sign in (1, -1))
    slopes = (np.array(up) - np.array(down)) / 2e-6
    for found in (rg.grad(f, (0, 1, 2))(*args), rg.vjp(f, *args)[1](1.0)):
        assert [np.sum(x) for x in found] == pytest.approx(slopes, rel=1e-6, abs=1e-8)
    assert rg.jvp(f, args, args)[1] == pytest.approx(slopes @ NUMBERS, rel=1e-6)
