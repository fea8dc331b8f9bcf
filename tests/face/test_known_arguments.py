"""Texts and functions in the arguments are known at the call: what is compiled for them is guarded."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch

W, B = np.array([0.3, -0.2, 0.5]), 2.0


def cube(x: Any) -> Any:
    return x * x * x


def power(x: Any, n: float) -> Any:
    return x**n


def called(p: Any) -> Any:
    return np.sum(p["how"](p["w"]) ** 2) * p["b"]


@pytest.mark.parametrize("way", ["plain", "decorated", "vjp", "argument", "C"])
def test_another_function_or_text_is_compiled_anew(way: str) -> None:
    def f(p: Any) -> Any:
        return np.sum(p["how"](p["w"])) if p["kind"] == "own" else np.sum(p["w"])

    def g(w: Any, p: Any) -> Any:
        return np.sum(p["how"](w)) if p["kind"] == "own" else np.sum(w)

    decorated = rg.differentiate(f)
    ways: dict[str, Any] = {
        "plain": lambda p: rg.grad(f)(p)["w"],
        "decorated": lambda p: decorated.grad(p)["w"],
        "vjp": lambda p: rg.vjp(f, p)[1](1.0)[0]["w"],
        "argument": lambda p: rg.grad(g)(p["w"], {"how": p["how"], "kind": p["kind"]}),
        "C": lambda p: rg.grad(g, backend="c")(p["w"], {"how": p["how"], "kind": p["kind"]}),
    }
    before = rg.get_check()
    try:
        for check_now in ("first", None):
            rg.set_check(check_now)
            for _ in range(2):
                for how, slope in ((np.sin, np.cos), (np.exp, np.exp), (cube, lambda x: 3 * x * x)):
                    for kind in ("own", "other"):
                        want = slope(W) if kind == "own" else np.ones(3)
                        found = ways[way]({"w": W, "how": how, "kind": kind})
                        np.testing.assert_allclose(found, want)
    finally:
        rg.set_check(before)


def times_square(k: float) -> Any:
    return lambda x: k * x * x


def test_closures_made_anew_are_told_apart_and_many_texts_are_compiled_once() -> None:
    def applied(x: Any, p: Any) -> Any:
        return np.sum(p["how"](x)) if p["name"] == "run 20" else np.sum(x)

    gradient = rg.grad(applied)
    for k in range(30):
        want = 2 * W * k if k == 20 else np.ones(3)
        p = {"how": times_square(float(k)), "name": f"run {k}"}
        np.testing.assert_allclose(gradient(W, p), want)
        np.testing.assert_allclose(gradient(W, {**p, "how": lambda x: x}), np.ones(3))
    part = functools.partial(power, n=2.0)
    assert rg.grad(called)({"w": W, "how": part, "b": B})["b"] == pytest.approx(np.sum(W**4))
    part.keywords["n"] = 3.0
    assert rg.grad(called)({"w": W, "how": part, "b": B})["b"] == pytest.approx(np.sum(W**6))


class Act:
    def __init__(self, power: int) -> None:
        self.power = power

    def __call__(self, x: Any) -> Any:
        return x**self.power


CALLED: dict[str, Any] = {
    "object": Act(2), "method": Act(2).__call__, "partial": functools.partial(np.multiply, 3.0),
    "decorated": rg.differentiate(cube), "vectorized": np.vectorize(cube),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLED)
def test_whatever_can_be_called(name: str) -> None:
    p = {"w": W, "how": CALLED[name], "b": B}
    found, h = rg.grad(called)(p), 1e-6
    moved = [called({**p, "w": W + t * W}) for t in (h, -h)]
    assert found["w"] @ W == pytest.approx((moved[0] - moved[1]) / (2 * h), rel=1e-6)
    assert found["b"] == pytest.approx(called(p) / B)


def test_attributes_and_modules_that_come_with_the_arguments() -> None:
    class Model:
        def __init__(self, w: Any) -> None:
            self.w, self.act, self.table = w, np.tanh, {"square": cube}

        def loss(self, x: Any, xp: Any, kind: str) -> Any:
            return xp.sum(self.act(x * self.w) + self.table[kind](x))

    model = Model(2.0)
    for act, slope in ((np.tanh, lambda x: 1 - np.tanh(x) ** 2), (np.sin, np.cos)):
        model.act = act
        found = rg.grad(model.loss)(W, np, "square")
        np.testing.assert_allclose(found, 2 * slope(2 * W) + 3 * W**2)


def test_a_committed_text_holds_for_its_functions_and_texts() -> None:
    def f(x: Any, p: Any) -> Any:
        return np.sum(p["how"](x)) if p["kind"] == "own" else np.sum(x)

    p = {"how": np.tanh, "kind": "own"}
    scope: dict[str, Any] = {}
    exec(rg.differentiate(f).source("grad", W, p), scope)
    np.testing.assert_allclose(scope["f_grad"](W, p), 1 - np.tanh(W) ** 2)
    for other, word in (({**p, "how": np.sin}, r"numpy\.tanh"), ({**p, "kind": "other"}, "'own'")):
        with pytest.raises(TypeError, match=word):
            scope["f_grad"](W, other)
    again = rg.differentiate(f).source(
        "grad", sig="x: f8[n], p: {'how': numpy.tanh, 'kind': 'own'}"
    )
    assert "np.tanh" in again
    with pytest.raises(SignatureMismatch):
        rg.differentiate(f).source("grad", sig="x: f8[n], p: {'how': numpy.nothing}")
