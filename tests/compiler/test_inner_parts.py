"""Which parts of an argument have a gradient is one answer, for a derivative that is called inside and for one outside."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.pytree import flatten, map_floats


@dataclass
class Layer:
    w: Any
    power: int
    name: str = "layer"


class Pair(NamedTuple):
    w: Any
    power: int


W = np.linspace(0.1, 1.0, 3)


def of_parts(w: Any, power: Any) -> Any:
    return np.sum(np.sin(w) ** power)


ARGUMENTS: dict[str, tuple[Any, Any]] = {
    "an array": (W, lambda p: of_parts(p, 3)),
    "a dict": ({"w": W, "power": 3}, lambda p: of_parts(p["w"], p["power"])),
    "with a text": ({"w": W, "power": 3, "name": "x"}, lambda p: of_parts(p["w"], p["power"])),
    "with a flag": ({"w": W, "on": True}, lambda p: of_parts(p["w"], 2 if p["on"] else 3)),
    "with whole numbers": ({"w": W, "n": np.arange(3)}, lambda p: np.sum(p["w"] ** 2 * p["n"])),
    "a dataclass": (Layer(W, 3), lambda p: of_parts(p.w, p.power)),
    "a named tuple": (Pair(W, 3), lambda p: of_parts(p.w, p.power)),
    "a list of dicts": ([{"w": W, "power": 2}, {"w": 2 * W, "power": 3}], lambda p: sum(of_parts(q["w"], q["power"]) for q in p)),
    "a tuple of arrays and a number": ((W, 3), lambda p: of_parts(p[0], p[1])),
    "a list of arrays, a float and a number": ([W, 0.5, 3], lambda p: of_parts(p[0] * p[1], p[2])),
    "a whole number": (3, lambda p: p * 2.0),
    "whole numbers alone": ({"a": 3, "b": 2}, lambda p: p["a"] * 2.0),
    "a namespace": (SimpleNamespace(w=W, power=3), lambda p: of_parts(p.w, p.power)),
}  # fmt: skip


REFUSED = {
    "a whole number", "whole numbers alone", "a tuple of arrays and a number",
    "a list of arrays, a float and a number",
}  # fmt: skip


def outcome(call: Any) -> Any:
    try:
        return call()
    except RetrogradError:
        return "refused"


def same(a: Any, b: Any) -> None:
    (mine, shape), (wanted, other) = flatten(a), flatten(b)
    assert shape == other
    for x, y in zip(mine, wanted, strict=True):
        if y is None or isinstance(y, str):
            assert x == y
        else:
            np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_gradients_inside_are_those_outside(name: str) -> None:
    x, f = ARGUMENTS[name]
    outside = outcome(lambda: rg.grad(f)(x))
    assert (isinstance(outside, str)) == (name in REFUSED)

    def by_grad(k: Any, p: Any) -> Any:
        return rg.grad(f)(p)

    def by_vjp(k: Any, p: Any) -> Any:
        return rg.vjp(f, p, wrt=0)[1](1.0)[0]

    for inside in (by_grad, by_vjp):
        same(outcome(lambda g=inside: rg.vjp(g, 1.0, x, wrt=0)[0]), outside)


@pytest.mark.parametrize("name", sorted(ARGUMENTS.keys() - REFUSED))
def test_second_derivatives_through_them(name: str) -> None:
    x, f = ARGUMENTS[name]
    v = map_floats(np.ones_like, rg.grad(f)(x))

    def slope(p: Any) -> Any:
        return rg.jvp(f, (p,), (v,))[1]

    same(rg.grad(slope)(x), rg.hvp(f, (x,), v))
