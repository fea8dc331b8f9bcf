"""Functions that are chosen from a container when the program runs: by a state, an index, a comparison."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees
from tests.written import written

MODULE = """
import enum
import functools


class State(enum.Enum):
    FIRST = enum.auto()
    SECOND = enum.auto()


class Model:
    def __init__(self, w):
        self.w = w

    def up(self, t):
        return self.w * t

    def down(self, t):
        return t - self.w * self.w


def scaled(t, by):
    return t * by


MODULE_LIST = [np.sin, np.cos]
MODULE_DICT = {"first": np.tanh, "second": lambda t: t * t * t}
"""
MADE = {
    "lambdas": "lambda t: x[0] * t, lambda t: t - x[1]",
    "numpy": "np.sin, np.cos",
    "methods": "model.up, model.down",
    "partials": "functools.partial(scaled, by=x[2]), functools.partial(scaled, by=2.0)",
    "inner": "one, other",
    "mixed": "np.tanh, lambda t: t * x[3]",
}
KEPT = {
    "list": ("[{0}, {1}]", "0", "1"),
    "tuple from its end": ("({0}, {1})", "-1", "-2"),
    "dict": ("{{'first': {0}, 'second': {1}}}", "'first'", "'second'"),
    "dict of an enumeration": (
        "{{State.FIRST: {0}, State.SECOND: {1}}}",
        "State.FIRST",
        "State.SECOND",
    ),
}
X = np.array([0.7, 1.3, -0.6, 0.9])


def text_of(made: str, kept: str) -> str:
    whole, first, second = KEPT[kept]
    parts = MADE[made].rsplit(", " if made != "partials" else ", functools", 1)
    if made == "partials":
        parts[1] = "functools" + parts[1]
    if made in ("lambdas", "mixed"):
        parts = MADE[made].split(", lambda")
        parts[1] = "lambda" + parts[1]
    return f"""{MODULE}
def f(x):
    model = Model(x[3])

    def one(t):
        return x[1] * t * t

    def other(t):
        return np.sqrt(t * t + x[2] * x[2])

    steps = {whole.format(*parts)}
    state, s = {first}, x[0]
    for k in range(5):
        s = s * 0.5 + steps[state](s + k)
        if s > 1.0:
            state = {second}
        if s < -1.0:
            state = {first}
    return s * x[1]
"""


@pytest.mark.parametrize(("made", "kept"), list(itertools.product(MADE, KEPT)))
def test_chosen(made: str, kept: str) -> None:
    f = written(text_of(made, kept))
    agrees(f, X)
    agrees(f, 2 * X)


@pytest.mark.parametrize(
    "call",
    ["MODULE_LIST[k % 2](s)", "MODULE_DICT['first' if s > 0.5 else 'second'](s)", "step(s)"],
)
def test_of_the_module(call: str) -> None:
    f = written(
        f"""{MODULE}
def f(x):
    s = x[0]
    step = MODULE_LIST[int(x[1] > 1.0)]
    for k in range(4):
        s = s * x[1] + {call}
    return s
"""
    )
    agrees(f, X)


def test_missing_key() -> None:
    f = written(
        """
def f(x):
    steps = {"a": np.sin, "b": np.cos}
    state = "a"
    for k in range(3):
        if k == 2:
            state = "c"
        x = steps[state](x)
    return np.sum(x)
"""
    )
    for g in (f, rg.grad(f, strict=True)):
        with pytest.raises(KeyError, match="c"):
            g(X)


def test_index_out_of_range() -> None:
    f = written(
        """
def f(x):
    steps = [np.sin, np.cos]
    for k in range(3):
        x = steps[k](x)
    return np.sum(x)
"""
    )
    for g in (f, rg.grad(f, strict=True)):
        with pytest.raises(IndexError):
            g(X)


def test_by_a_test() -> None:
    f = written(
        f"""{MODULE}
def f(x):
    model, s = Model(x[2]), x[0]
    for k in range(5):
        step = model.up if s > 0.3 else model.down
        s = (np.sin if s > x[1] else lambda t: t * x[3])(s) + step(0.5)
    return s
"""
    )
    agrees(f, X)
    agrees(f, 2 * X)


# -- chosen by a branch ----------------------------------------------------------------

BRANCHES = {
    "numpy": "    if x[0] > 0:\n        f = np.sin\n    else:\n        f = np.cos\n    return np.sum(f(x))",
    "three": "    if x[0] > 0:\n        f = np.sin\n    elif x[1] > 0:\n        f = np.prod\n    else:\n        f = lambda t: x[2] * np.sum(t)\n    return np.sum(f(x)) * 2",
    "twice": "    if x[0] > 0:\n        f = np.sin\n    else:\n        f = np.tanh\n    if x[1] > 0:\n        f = np.exp\n    return np.sum(f(f(x)))",
    "of two choices": "    if x[0] > 0:\n        f = np.sin if x[1] > 0 else np.cos\n    else:\n        f = np.cos if x[2] > 0 else np.tanh\n    return np.sum(f(x))",
    "inner": "    if x[0] > 0:\n        k = x[1]\n        def f(t):\n            return k * t\n    else:\n        k = x[2]\n        def f(t):\n            return k + t\n    return f(x[0]) ** 2",
    "closures": "    if x[0] > 0:\n        f = scaled_by(x[1])\n    else:\n        f = shifted_by(x[2])\n    return np.sum(f(x))",
    "in a loop": "    total = 0.0\n    for i in range(3):\n        if x[i] > 0:\n            f = np.sinh\n        else:\n            f = np.cosh\n        total += f(x[i])\n    return total",
    "handed on": "    if x[0] > 0:\n        f, g = np.sin, np.add\n    else:\n        f, g = np.tanh, np.multiply\n    return sum(map(f, x)) + functools.reduce(g, x)",
    "compared": "    if x[0] > 0:\n        f = np.sin\n    else:\n        f = np.cos\n    return np.sum(f(x)) * (2.0 if f is np.sin else 3.0)",
}
HELPERS = """
import functools


def scaled_by(k):
    return lambda t: k * t


def shifted_by(k):
    m = 2 * k
    return lambda t: m / (1 + t * t)


"""
POINTS = ([0.3, 0.7, 0.4], [-0.3, 0.7, 0.4], [-0.3, -0.7, 0.4], [0.5, -0.7, -0.2])


@pytest.mark.parametrize("body", BRANCHES)
@pytest.mark.parametrize("at", POINTS, ids=str)
def test_chosen_by_a_branch(body: str, at: list[float]) -> None:
    agrees(written(f"{HELPERS}def f(x):\n{BRANCHES[body]}\n"), np.array(at))
