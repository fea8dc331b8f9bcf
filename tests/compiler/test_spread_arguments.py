"""``f(a, *xs)`` with a list or an array whose length only the run knows: as many arguments as the function takes, or all."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..both_modes import agrees
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

SOURCES = {
    "an argument": "x",
    "an array": "np.square(x)",
    "a mask": "x[x > 0]",
    "a list": "[v * v for v in x]",
    "a filtered list": "[v * v for v in x if v > 0]",
    "filtered twice": "[v for v in [v * v for v in x if v > 0] if v < 90]",
    "a tuple": "tuple([v * v for v in x])",
    "a list that grew": "grown(x)",
    "arrays": "[v * x for v in x]",
    "a map": "map(lambda v: v * v, x)",
}
TEXT = """
import functools

def grown(x):
    out = []
    for v in x:
        out.append(v * v)
    return out

def product(a, b):
    return np.sum(a) * np.sum(b) ** 2

def scaled(a, b, *, power=1):
    return np.sum(a) * np.sum(b) ** power

def weighted(a, b, weight=2.0):
    return np.sum(a) * np.sum(b) ** weight

def total(*parts):
    s = 0.0
    for k, part in enumerate(parts):
        s = s + (k + 1) * np.sum(part)
    return s * len(parts)

def powers(first, *parts, power=2):
    return np.sum(first) * sum(np.sum(part) ** power for part in parts)

def multiplied(*parts):
    return functools.reduce(np.multiply, parts)

def recursive(*parts):
    if len(parts) < 2:
        return np.sum(parts[0]) ** 2
    return np.sum(parts[0]) * recursive(*parts[1:])

def passed(f, *parts, **names):
    return f(*parts, **names)

def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)
    return wrapper

@twice
def decorated(*parts):
    return total(*parts) ** 2

def doubled(*parts):
    for part in parts:
        part *= 2.0

class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, *parts):
        return np.sum(self.a) * total(*parts)

    def of(self, *parts):
        return np.sum(self.b) * total(*parts)

    @classmethod
    def made(cls, *parts):
        return cls(*parts)

    @staticmethod
    def summed(*parts):
        return total(*parts)
"""
CALLS = {
    "as many as it takes": "return product(*SOURCE)",
    "behind others": "return product(x[0], *SOURCE[:1])",
    "by name, too": "return scaled(*SOURCE, power=3)",
    "a default by name": "return weighted(*SOURCE, weight=3.0)",
    "one by name": "return product(*SOURCE[:1], b=x[1])",
    "a ufunc": "return np.sum(np.hypot(*SOURCE))",
    "an inner function": "def inner(a, b):\n        return np.sum(a) / np.sum(b)\n    return inner(*SOURCE)",
    "a lambda": "return np.sum((lambda a, b: a * b)(*SOURCE))",
    "a partial": "return functools.partial(powers, x[0], power=1)(*SOURCE)",
    "a constructor": "p = Pair(*SOURCE)\n    return np.sum(p.a) * np.sum(p.b)",
    "all of them": "return total(*SOURCE)",
    "all behind one": "return powers(x[1], *SOURCE, power=3)",
    "with one behind": "return total(*SOURCE, x[0])",
    "two lists": "return total(x, *SOURCE, *SOURCE)",
    "reduced": "return np.sum(multiplied(*SOURCE))",
    "recursive": "return recursive(*SOURCE)",
    "passed on": "return passed(powers, x[0], *SOURCE, power=3)",
    "decorated": "return decorated(*SOURCE)",
    "an inner function of all": "def inner(*parts):\n        return x[0] * np.sum(parts[-1])\n    return inner(*SOURCE)",
    "an object": "return Pair(x[0], 2.0)(*SOURCE)",
    "a method": "return Pair(x[0], x[1]).of(*SOURCE)",
    "a class method": "p = Pair.made(*SOURCE)\n    return np.sum(p.a) * np.sum(p.b)",
    "a static method": "return Pair.summed(*SOURCE)",
    "in a loop": "s = 0.0\n    for k in range(3):\n        s = s + k * total(*SOURCE)\n    return s",
}
NO_SLICES = [("a map", "behind others"), ("a map", "one by name")]  # Python's maps have none


def program(source: str, call: str) -> Any:
    return written(f"{TEXT}\ndef f(x):\n    {CALLS[call].replace('SOURCE', SOURCES[source])}\n")


def outcome(f: Any, x: Any) -> Any:
    try:
        return f(x)
    except Exception as error:
        return type(error)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("source", SOURCES)
def test_they_get_what_python_gives_them(source: str, call: str) -> None:
    f, x = program(source, call), np.array([2.0, 3.0])
    if isinstance(outcome(f, x), type):
        pytest.skip("Python refuses it")
    agrees(f, x)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("source", SOURCES)
def test_too_few_or_too_many(source: str, call: str) -> None:
    if (source, call) in NO_SLICES:
        pytest.skip("Python refuses it")
    f = program(source, call)
    for x in (np.array([2.0]), np.array([2.0, 3.0, 4.0])):
        expected = outcome(f, x)
        found = outcome(rg.value_and_grad(f, strict=False), x)
        if isinstance(expected, type):
            assert found is expected
        else:
            np.testing.assert_allclose(found[0], expected)


@pytest.mark.parametrize("entries", [0, 1, 2, 5])
def test_another_length_is_the_same_derivative(entries: int) -> None:
    f = written(f"{TEXT}\ndef f(x):\n    return total(*[v * v for v in x if v > 0]) + x[0]\n")
    gradient = rg.grad(f, strict=True)
    gradient(np.array([1.0, -2.0, 3.0]))
    x = np.concatenate([np.arange(1.0, entries + 1.0), [-1.0]])
    agrees(f, x)


@pytest.mark.parametrize(
    "after", ["np.sum(xs[0])", "np.sum(np.stack(xs))", "np.sum(x)", "total(*xs)"]
)
def test_items_that_the_function_writes_to(after: str) -> None:
    """Right, or refused: the items are the caller's arrays."""
    f = written(
        f"{TEXT}\ndef f(x):\n    xs = [v * x for v in x]\n    doubled(*xs)\n    return {after}\n"
    )
    with contextlib.suppress(rg.RetrogradError):
        agrees(f, np.array([2.0, 3.0]))


def test_a_list_that_changes_later() -> None:
    f = written(
        f"{TEXT}\ndef held(*parts):\n    return parts\n\ndef f(x):\n    xs = [v * v for v in x if v > 0]\n"
        "    kept = held(*xs)\n    xs.append(x[0])\n    xs[0] = xs[0] * 5.0\n    return total(*kept) * total(*xs)\n"
    )
    agrees(f, np.array([2.0, 3.0]))


@pytest.mark.parametrize("parameters", ["a, b=2.0", "a=1.0, *more", "a, *more, b=2.0"])
def test_how_many_is_not_known(parameters: str) -> None:
    """What has a default may be given or not: refused, unless there is nothing to fill by position but ``*more``."""
    f = written(f"def g({parameters}):\n    return a * 3.0\n\ndef f(x):\n    return g(*x)\n")
    if parameters == "a, *more, b=2.0":
        return agrees(f, np.array([2.0, 3.0]))
    with pytest.raises(rg.errors.UnsupportedSyntax, match="unknown length"):
        rg.grad(f, strict=True)(np.array([2.0, 3.0]))
