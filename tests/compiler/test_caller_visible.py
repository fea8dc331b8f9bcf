"""Writes to containers and objects of the caller: the derivative does what the function does."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError, NotDifferentiable


class Model:
    def __init__(self) -> None:
        self.w, self.state, self.calls = 2.0, 1.0, 0
        self.seen: Any = None

    def step(self, x):
        self.state = self.state * x
        self.calls += 1
        return self.state

    def run(self, x):
        y = 0.0
        for _ in range(3):
            y = y + self.step(x) * self.w
        self.seen = (x, y)
        return y


@dataclasses.dataclass
class Layer:
    w: float
    b: Any


class Net:
    def __init__(self) -> None:
        self.layer = Layer(2.0, [1.0, 3.0])


def entries(x, p):
    p["w"] -= 0.1 * x
    p["new"] = x
    return p["w"] * x


def list_items(x, p):
    p["l"].append(x)
    p["l"][0] = x * x
    return sum(p["l"]) * x


def update(p, x):
    p["w"] = p["w"] * x


def by_callee(x, p):
    for _ in range(3):
        update(p, x)
    q = p
    update(q, x)
    return p["w"]


def in_branch(x, p):
    if x > 0:
        p["l"].append(x)
        p["w"] = 5.0
    return p["l"][-1] * x


def moved(x, p):
    p["m"], p["l"] = p["l"], [x]
    p["m"].append(x * x)
    return p["m"][-1] * p["l"][0]


def of_object(x, m):
    return m.run(x) * m.calls


def dataclass_field(x, layer):
    layer.w *= x
    layer.b = [layer.w, x]
    return layer.b[0] * layer.w


def deleted(x, p):
    return p.pop("w") * x * len(p)


def read_after(x, p):
    y = p["w"] * x
    p["w"] = np.zeros(3)
    return np.sum(y * p["w"]) + np.sum(y)


def nested_object(x, net):
    net.layer.b[0] = x * net.layer.w
    net.layer.w = x
    return net.layer.b[0] * net.layer.w


CASES = {
    entries: lambda: ({"w": 3.0, "b": 1.0},),
    list_items: lambda: ({"l": [1.0, 2.0]},),
    by_callee: lambda: ({"w": 2.0},),
    in_branch: lambda: ({"l": [1.0, 2.0], "w": 1.0},),
    moved: lambda: ({"l": [1.0], "m": 0.0},),
    of_object: lambda: (Model(),),
    dataclass_field: lambda: (Layer(2.0, 1.0),),
    deleted: lambda: ({"w": 2.0, "b": 3.0},),
    nested_object: lambda: (Net(),),
    read_after: lambda: ({"w": np.arange(3.0)},),
}


def content(tree: Any) -> Any:
    """What is in objects and containers, to be compared."""
    if isinstance(tree, dict):
        return {k: content(v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [content(v) for v in tree]
    if isinstance(tree, np.ndarray):
        return tree.tolist()
    return content(vars(tree)) if hasattr(tree, "__dict__") else tree


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_writes_reach_the_caller(f: Any) -> None:
    made, h = CASES[f], 1e-6
    expected, given = made(), made()
    value = f(0.7, *expected)
    slope = (f(0.7 + h, *made()) - f(0.7 - h, *made())) / (2 * h)
    found, bar = rg.value_and_grad(f)(0.7, *given)
    assert found == value
    assert bar == pytest.approx(slope, rel=1e-6)
    assert content(given) == content(expected)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_every_mode_writes_once(f: Any) -> None:
    made = CASES[f]
    expected = made()
    f(0.7, *expected)
    bar = rg.grad(f)(0.7, *made())
    pushed, pulled, twice = made(), made(), made()
    assert rg.jvp(f, (0.7, *pushed), (1.0, *[None] * len(pushed)))[1] == pytest.approx(bar)
    assert rg.vjp(f, 0.7, *pulled, wrt=0)[1](1.0)[0] == pytest.approx(bar)
    h = 1e-6
    second = (rg.grad(f)(0.7 + h, *made()) - rg.grad(f)(0.7 - h, *made())) / (2 * h)
    assert rg.grad(rg.grad(f))(0.7, *twice) == pytest.approx(second, rel=1e-5, abs=1e-6)
    for given in (pushed, pulled, twice):
        assert content(given) == content(expected)


def test_gradient_of_a_container_that_is_written_to() -> None:
    p = {"w": 3.0, "b": 1.0}
    assert rg.grad(entries, 1)(0.7, p) == {"w": 0.7, "b": 0.0}
    assert p == {"w": 3.0 - 0.1 * 0.7, "b": 1.0, "new": 0.7}


def two(x, p, q):
    p["w"] = x
    return q["w"] * x


def test_one_container_at_two_places_is_refused() -> None:
    shared = {"w": 1.0}
    assert rg.grad(two)(0.7, {"w": 1.0}, {"w": 2.0}) == 2.0
    with pytest.raises(MutationError, match="passed twice"):
        rg.grad(two)(0.7, shared, shared)
    assert shared == {"w": 1.0}


def test_a_method_as_the_function() -> None:
    m = Model()
    g = rg.grad(m.step)
    assert g(0.7) == 1.0
    assert (m.state, m.calls) == (0.7, 1)
    assert g(0.7) == 0.7
    assert m.calls == 2
    m.w = np.ones(3)
    assert rg.value_and_grad(m.step)(2.0) == (pytest.approx(0.98), pytest.approx(0.49))
    rg.check_grads(Square(3.0).loss, (0.7,), order=2)
    assert rg.jvp(Square(3.0).loss, (0.5,), (1.0,)) == (0.75, 3.0)
    assert rg.hessian(Square(3.0).loss)(0.5) == pytest.approx(6.0)


class Square:
    def __init__(self, k) -> None:
        self.k = k

    def loss(self, x, power=2):
        return self.k * x**power


def test_objects_have_no_gradient() -> None:
    def f(m):
        return m.k * 2.0

    with pytest.raises(NotDifferentiable):
        rg.grad(f)(Square(1.0))
