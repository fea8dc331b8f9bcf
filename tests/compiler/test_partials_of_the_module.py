"""Partial applications of the module that hold objects, arrays, containers and functions."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.3, 0.7, 1.1])
Pair = collections.namedtuple("Pair", "a b")


@dataclass
class Record:
    a: float
    b: Any

    def at(self, x):
        return self.a * x + self.b * x**2


class Calls:
    def __call__(self, x):
        return 2.0 * x


def by_pair(x, pair):
    a, b = pair
    return a * x + b * x**2


def by_fields(held, x):
    return held.a * x + held.b * x**2


def by_method(x, record):
    return record.at(x)


def by_key(x, table):
    return table["a"] * x + table["b"] * x**2


def by_function(x, f):
    return f(x) * x


def by_array(x, w):
    return np.sum(w * x) * x


def by_none(x, w=None):
    return x if w is None else w * x


HELD: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "named tuple": (functools.partial(by_pair, pair=Pair(1.0, 2.0)), lambda x: x + 2 * x**2),
    "tuple": (functools.partial(by_pair, pair=(1.0, 2.0)), lambda x: x + 2 * x**2),
    "list": (functools.partial(by_pair, pair=[1.0, 2.0]), lambda x: x + 2 * x**2),
    "tuple of arrays": (functools.partial(by_pair, pair=(X, 2.0)), lambda x: X * x + 2 * x**2),
    "dataclass": (functools.partial(by_fields, Record(1.0, 2.0)), lambda x: x + 2 * x**2),
    "dataclass of an array": (functools.partial(by_fields, Record(1.0, X)), lambda x: x + X * x**2),
    "namespace": (functools.partial(by_fields, SimpleNamespace(a=1.0, b=X)), lambda x: x + X * x**2),
    "method": (functools.partial(by_method, record=Record(1.0, 2.0)), lambda x: x + 2 * x**2),
    "bound method": (functools.partial(Record(1.0, 2.0).at), lambda x: x + 2 * x**2),
    "dict": (functools.partial(by_key, table={"a": 1.0, "b": X}), lambda x: x + X * x**2),
    "function": (functools.partial(by_function, f=np.sin), lambda x: np.sin(x) * x),
    "user's function": (functools.partial(by_function, f=by_none), lambda x: x * x),
    "lambda": (functools.partial(by_function, f=lambda x: x**2), lambda x: x**3),
    "callable": (functools.partial(by_function, f=Calls()), lambda x: 2 * x**2),
    "partial": (functools.partial(by_function, f=functools.partial(by_none, w=X)), lambda x: X * x**2),
    "array": (functools.partial(by_array, w=X), lambda x: np.sum(X * x) * x),
    "single": (functools.partial(by_array, w=np.float32(2)), lambda x: np.sum(np.float32(2) * x) * x),
    "none": (functools.partial(by_none, w=None), lambda x: x),
    "partial of a partial": (functools.partial(functools.partial(by_pair, pair=Pair(1.0, X))), lambda x: x + X * x**2),
}  # fmt: skip
TABLE = {name: p for name, (p, _) in HELD.items()}


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("way", ["global", "entry", "inside"])
def test_right(name: str, way: str) -> None:
    held, plain = HELD[name]
    if way == "global":
        gradient = rg.grad(lambda x: np.sum(held(x)), strict=True)
    elif way == "entry":
        gradient = rg.grad(lambda x: np.sum(TABLE[name](x)), strict=True)
    else:
        gradient = rg.grad(lambda x: np.sum(sum(map(held, [x, 2.0 * x]))), strict=True)

    def total(x):
        return np.sum(plain(x)) if way != "inside" else np.sum(plain(x) + plain(2.0 * x))

    steps = 1e-6 * np.eye(3)
    expected = [(total(X + h) - total(X - h)) / 2e-6 for h in steps]
    for _ in range(2):
        np.testing.assert_allclose(gradient(X), expected, rtol=1e-7)


def test_what_it_holds_is_asked_when_it_runs() -> None:
    record, w = Record(1.0, 2.0), X.copy()
    fields, array = functools.partial(by_fields, record), functools.partial(by_array, w=w)
    gradient = rg.grad(lambda x: np.sum(fields(x)) + np.sum(array(x)), strict=True)

    def expected():
        return record.a + 2 * record.b * X + np.sum(w * X) + w * np.sum(X)

    np.testing.assert_allclose(gradient(X), expected())
    record.a, w[1] = 5.0, -3.0
    np.testing.assert_allclose(gradient(X), expected())
    array.keywords["w"] = w = 2.0 * X
    np.testing.assert_allclose(gradient(X), expected())


def test_a_list_that_is_written_to() -> None:
    seen: list[float] = []

    def keeping(x, kept):
        kept.append(1.0)
        return x**2 * len(kept)

    keeps = functools.partial(keeping, kept=seen)
    gradient = rg.grad(lambda x: np.sum(keeps(x)))
    for calls in (1, 2):
        try:
            found = gradient(X)
        except rg.RetrogradError:
            return
        np.testing.assert_allclose(found, 2 * X * calls)
        assert len(seen) == calls
