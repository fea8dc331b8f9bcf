"""``fields``, ``asdict``, ``astuple``: programs that go over the attributes of their dataclasses."""

from __future__ import annotations

import dataclasses
from dataclasses import asdict, astuple, dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([1.3, 0.7, 2.1])


@dataclass
class Pair:
    a: Any
    b: Any = 2.0
    name: str = "pair"
    history: list = field(default_factory=list, metadata={"kept": False})

    @property
    def parts(self):
        return fields(self)

    def values(self):
        return [getattr(self, f.name) for f in self.parts if f.name in ("a", "b")]

    def __iter__(self):
        yield from {f.name: getattr(self, f.name) for f in fields(self)}.items()


@dataclass(frozen=True)
class Outer:
    pair: Pair
    k: float
    several: tuple


def gone_over(x):
    p = Pair(x[0], x[1])
    return sum(getattr(p, f.name) ** 2 for f in fields(p) if f.name in ("a", "b"))


def of_the_class(x):
    p = Pair(x[0], x[1])
    for f in fields(Pair):
        if f.name not in ("name", "history") and f.init:
            setattr(p, f.name, getattr(p, f.name) ** 2)
    return p.a * p.b * len(fields(p))


def by_a_method(x):
    return sum(v * v for v in Pair(x[0], x[1]).values())


def by_itself(x):
    return dict(Pair(x[0], x[1]))["a"] ** 2 * x[2]


def as_dict(x):
    outer = Outer(Pair(x[0], x * x), x[2], (Pair(x[1]), x[0]))
    d = asdict(outer)
    d["pair"]["b"][0] = 5.0  # a copy
    return (
        d["pair"]["a"] ** 2 * d["several"][0]["a"] * d["k"]
        + np.sum(outer.pair.b)
        + d["pair"]["b"][0]
    )


def as_tuple(x):
    t = astuple(Outer(Pair(x[0], x[1]), x[2], (x[1],)))
    return t[0][0] ** 2 * t[0][1] * t[1] * t[2][0]


def replaced(x):
    p = Pair(x[0], x[1])
    q = dataclasses.replace(
        p, **{f.name: getattr(p, f.name) * 2 for f in fields(p) if f.name in "ab"}
    )
    return q.a * q.b if is_dataclass(q) else 0.0


def by_defaults(x):
    given = {f.name: f.default for f in fields(Pair) if isinstance(f.default, float)}
    return np.sum(x**2) * given["b"]


def in_a_loop(x):
    total, p = 0.0, Pair(x[0], x[1])
    for v in x:
        p.a = p.a * v
        total += sum(getattr(p, f.name) for f in fields(p)[:2])
    return total


PROGRAMS = [
    gone_over, of_the_class, by_a_method, by_itself, as_dict, as_tuple, replaced, by_defaults, in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_objects_made_here(program: Any) -> None:
    e, v = 1e-6 * np.eye(3), np.array([0.3, -1.1, 0.7])
    expected = np.array([(program(X + d) - program(X - d)) / 2e-6 for d in e])
    gradient = rg.grad(program, strict=True)
    np.testing.assert_allclose(gradient(X), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(rg.jvp(program, (X,), (v,))[1], expected @ v, rtol=1e-6)
    second = (gradient(X + 1e-5 * v) - gradient(X - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(rg.hvp(program, (X,), v), second, rtol=1e-6, atol=1e-7)


def of_an_argument(p):
    return sum(getattr(p, f.name) ** 2 for f in fields(p) if f.name in ("a", "b"))


def as_dict_of_an_argument(p):
    d = asdict(p)
    return d["a"] ** 2 * d["b"]


@pytest.mark.parametrize(
    "program", [of_an_argument, as_dict_of_an_argument], ids=lambda f: f.__name__
)
def test_objects_that_are_given(program: Any) -> None:
    found = rg.grad(program, strict=True)(Pair(1.5, 2.5))
    e = 1e-6
    by_a = (program(Pair(1.5 + e, 2.5)) - program(Pair(1.5 - e, 2.5))) / (2 * e)
    by_b = (program(Pair(1.5, 2.5 + e)) - program(Pair(1.5, 2.5 - e))) / (2 * e)
    np.testing.assert_allclose([found.a, found.b], [by_a, by_b], rtol=1e-6)
