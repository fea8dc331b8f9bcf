"""Functions that make a container of their arguments longer or shorter, or put something else into it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten, map_leaves

pytestmark = pytest.mark.usefixtures("unchecked")


@dataclass
class Pair:
    a: Any
    b: Any


def append(xs):
    xs.append(3.0)
    return sum(v * v for v in xs)


def pop_array(xs):
    xs.pop(0)
    return np.sum(xs[0] ** 2)


def clear(xs):
    y = xs[0] * xs[1]
    xs.clear()
    return y


def insert(xs):
    xs.insert(0, xs[-1] * 2)
    return xs[0] * xs[1]


def in_a_loop(xs):
    for k in range(3):
        xs.append(xs[0] * k)
    return sum(xs) * xs[1]


def spliced(xs):
    xs[:] = [xs[0] * xs[1]]
    return xs[0] * 2


def other_kind(xs):
    xs[0] = xs[0] * np.ones(2)
    return np.sum(xs[0]) * xs[1]


def new_entry(d):
    d["c"] = d["a"] * 2
    return d["c"] * d["b"]


def pop_entry(d):
    q = d.pop("a")
    return q * q * d["b"]


def inner_list(d):
    d["l"].append(d["s"])
    return sum(v * v for v in d["l"])


def attribute(o):
    o.a = o.a * np.ones(2)
    return np.sum(o.a) * o.b


def attribute_list(o):
    o.a.append(o.b)
    return sum(v * v for v in o.a)


CASES: list[tuple[Callable[..., Any], Any]] = [
    (append, [1.0, 2.0]),
    (pop_array, [np.array([1.0, 2.0]), np.array([3.0, 4.0])]),
    (clear, [2.0, 3.0]),
    (insert, [2.0, 3.0]),
    (in_a_loop, [2.0, 3.0]),
    (spliced, [2.0, 3.0]),
    (other_kind, [2.0, 3.0]),
    (new_entry, {"a": 1.0, "b": 2.0}),
    (pop_entry, {"a": 3.0, "b": 2.0}),
    (inner_list, {"l": [1.0, 2.0], "s": 4.0}),
    (attribute, Pair(2.0, 3.0)),
    (attribute_list, Pair([1.0, 2.0], 3.0)),
]
WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "grad": lambda f, x: rg.grad(f)(x),
    "vjp": lambda f, x: rg.vjp(f, x)[1](1.0)[0],
    "jacobian": lambda f, x: rg.jacobian(f)(x),
    "forward": lambda f, x: rg.jacobian(f, mode="forward")(x),
    "reverse": lambda f, x: rg.jacobian(f, mode="reverse")(x),
}


@pytest.mark.parametrize(("f", "x"), CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_derivatives(f: Any, x: Any) -> None:
    leaves, shape = flatten(x)
    after = copy.deepcopy(x)
    f(after)
    want = slopes(f, x)
    for derive in WAYS.values():
        given = copy.deepcopy(x)
        found, found_shape = flatten(derive(f, given))
        assert found_shape == shape
        assert [np.shape(g) for g in found] == [np.shape(v) for v in leaves]
        np.testing.assert_allclose(np.hstack([np.ravel(g) for g in found]), want, atol=1e-6)
        assert repr(given) == repr(after)


NUMBERS = [case for case in CASES if all(type(v) is float for v in flatten(case[1])[0])]


@pytest.mark.parametrize(("f", "x"), NUMBERS, ids=lambda case: getattr(case, "__name__", ""))
def test_second_derivatives(f: Any, x: Any) -> None:
    product = flatten(rg.hvp(f, (copy.deepcopy(x),), copy.deepcopy(x)))[0]
    whole = flatten(rg.hessian(f)(copy.deepcopy(x)))[0]
    v = np.array(flatten(x)[0])
    np.testing.assert_allclose(np.reshape(whole, (len(v), len(v))) @ v, product)
    ends = [flatten(rg.grad(f)(scaled(x, 1 + h)))[0] for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(product, np.subtract(*ends) / 2e-6, atol=1e-6)


def scaled(x: Any, by: float) -> Any:
    return map_leaves(lambda v: v * by, x)


def slopes(f: Any, x: Any) -> Any:
    """Central differences by every number in ``x``."""
    found = []
    for leaf, value in enumerate(flatten(x)[0]):
        for k in range(np.size(value)):
            ends = [f(moved(x, leaf, k, h)) for h in (1e-6, -1e-6)]
            found.append((ends[0] - ends[1]) / 2e-6)
    return np.array(found)


def moved(x: Any, leaf: int, k: int, h: float) -> Any:
    made, count = copy.deepcopy(x), iter(range(100))

    def one(v: Any) -> Any:
        if next(count) != leaf:
            return v
        step = np.zeros(np.size(v))
        step[k] = h
        return v + step.reshape(np.shape(v)) if np.ndim(v) else v + h

    return map_leaves(one, made)
