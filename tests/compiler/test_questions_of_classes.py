"""Questions about the class of a number that may be NumPy's or Python's: those that have one answer for both are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg


class Symbol:
    """What other programs compute with in place of numbers."""

    def __init__(self, value: Any) -> None:
        self.value = value


def equal(v):
    return type(v) == Symbol  # noqa: E721


def the_same(v):
    return type(v) is Symbol


def among(v):
    return type(v) in (Symbol, list, tuple)


def below(v):
    return issubclass(type(v), (list, dict))


def after_others(v):
    kind = type(v)
    if kind == np.ndarray and v.dtype != "O":
        return False
    for plain in (float, int, complex, bool, str, type(None)):
        if kind == plain:
            return False
    return kind == Symbol


def within(v):
    kind = type(v)
    for plain in (float, int):
        if kind == plain:
            return False
    if kind == Symbol:
        return True
    if issubclass(kind, list) or issubclass(kind, tuple):
        for item in v:
            if within(item):
                return True
        return False
    if issubclass(kind, dict):
        for item in v.items():
            if within(item):
                return True
        return False
    return False


def unlike(v):
    return not (type(v) != Symbol)  # noqa: E721


QUESTIONS = [equal, the_same, among, below, after_others, within, unlike]
VALUES = {
    "itself": lambda x: x,
    "sine": lambda x: np.sin(x),
    "maximum": lambda x: np.maximum(x, 0.1),
    "comparison": lambda x: x > 0.3,
    "both": lambda x: np.logical_and(x > 0.0, x < 1.0),
    "chosen": lambda x: np.where(x > 0.2, x, 1.0),
    "absolute": lambda x: abs(x),
    "whole": lambda x: 1,
}


def slopes(f, x):
    return (np.asarray(f(x + 1e-6)) - np.asarray(f(x - 1e-6))) / 2e-6


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.__name__)
@pytest.mark.parametrize("value", VALUES)
def test_what_is_no_number_is_not_asked_for(question, value):
    make = VALUES[value]

    def f(x):
        if question(make(x)):
            return Symbol(x)
        return np.sin(x) * x

    for x in (0.7, np.float64(0.7), np.array([0.7, 0.2])):
        _, pull = rg.vjp(rg.differentiate(strict=True)(f), x)
        np.testing.assert_allclose(pull(np.ones_like(x))[0], slopes(f, x), rtol=1e-7)


def where(test, a, b):
    if not within([test, a, b]):
        return np.where(test, a, b)
    return Symbol(test)


CHOICES = [
    lambda x: where(x > 0.3, x * x, 2 * x),
    lambda x: where(x > 0.3, np.sin(x), 1),
    lambda x: where(where(x < 1, x, 1.0) < 0.5, x * x, where(x < 2, x, 3.0)),
    lambda x: where(np.logical_and(x > 0, x < 1), abs(x), x),
    lambda x: where(x > 1.0, x, np.maximum(x, 0.0)) * where(True, x, np.pi),
]


@pytest.mark.parametrize("f", CHOICES)
@pytest.mark.parametrize("x", [0.7, np.float64(0.7), np.array([0.7, 0.2])], ids=type)
def test_choices_of_two_libraries(f, x):
    _, pull = rg.vjp(rg.differentiate(strict=True)(f), x)
    np.testing.assert_allclose(pull(np.ones_like(x))[0], slopes(f, x), rtol=1e-7)


def told(x):
    return x * 2.0 if type(x) == float else x * 3.0  # noqa: E721


def told_of_numpy(x):
    return x * 2.0 if isinstance(x, np.float64) else x * 3.0


def told_by_an_array(x):
    return x * 2.0 if type(x) is np.ndarray else x * 3.0


@pytest.mark.parametrize("f", [told, told_of_numpy, told_by_an_array])
def test_what_differs_is_still_asked(f):
    for g in (f, lambda x: f(np.sin(x)), lambda x: f(x + np.float64(1.0)), lambda x: f(abs(x))):
        gradient = rg.grad(g, strict=True)
        for x in (0.7, np.float64(0.7), 0.9, np.float64(0.3)):
            assert gradient(x) == pytest.approx(slopes(g, x), rel=1e-6)


def nothing_at_the_end(x):
    for s in (1, 2):
        if x > s:
            return 5.0


def in_a_range(x):
    for s in range(3):
        if x > s + 1:
            return 5.0


def in_two_loops(x):
    for s in range(3):
        for k in (1, 2):
            if x > s + k:
                return 5.0
        if x < -s:
            return 5.0


def while_it_is_small(x):
    while x < 3.0:
        if x > 1.0:
            return 5.0
        x = x + 2.5


def two_constants(x):
    for s in (1, 2):
        if x > s:
            return 2.0
        if x < -s:
            return None
    return x


LOOPS = [nothing_at_the_end, in_a_range, in_two_loops, while_it_is_small, two_constants]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
def test_constants_that_loops_return(loop):
    def f(x):
        found = loop(x)
        return x if found is None else x * x * found

    gradient = rg.grad(f, strict=True)
    for x in (0.7, 1.5, 2.6, -0.7, -1.4):
        assert gradient(x) == pytest.approx(slopes(f, x), rel=1e-6)
