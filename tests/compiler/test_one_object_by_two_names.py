"""One object that a function reads by two names: a function made again may have another one by one of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import namespace

TEXT = """
import functools

T = np.array([1.0, 2.0, 3.0])


class Weights:
    def __init__(self, w):
        self.w = w


OF_THE_MODULE = Weights(T)


class Model:
    def __init__(self, w):
        self.w = w

    def __call__(self, p):
        return np.sum(p * T) + np.sum(p * p * self.w)

    def loss(self, p):
        return total(p) + np.sum(p * p * self.w)


def total(p):
    return np.sum(p * T)


def closure(w):
    def f(p):
        return np.sum(p * T) + np.sum(p * p * w)
    return f


def closure_and_helper(w):
    def f(p):
        return total(p) + np.sum(p * p * w)
    return f


def default(w):
    def f(p, w=w):
        return np.sum(p * T) + np.sum(p * p * w)
    return f


def two_closures(w):
    def f(p, of=OF_THE_MODULE):
        return np.sum(p * of.w) + np.sum(p * p * w)
    return f


def object_in_a_closure(w):
    m = OF_THE_MODULE if w is T else Weights(w)

    def f(p):
        return np.sum(p * OF_THE_MODULE.w) + np.sum(p * p * m.w)
    return f


def method(w):
    return Model(w).loss


def part(w):
    return functools.partial(lambda w, p: np.sum(p * T) + np.sum(p * p * w), w)


def callable_object(w):
    return Model(w)
"""
MAKERS = (
    "closure", "closure_and_helper", "default", "two_closures", "object_in_a_closure", "method", "part", "callable_object",
)  # fmt: skip
ORDERS = list(itertools.permutations(["T", "equal", "other"]))


HOLDERS = """
import functools

T = np.array([1.0, 2.0, 3.0])


def of(w):
    def act(p):
        return np.sum(p * p * w)
    return act


def class_of(w):
    class Act:
        held = w

        def __call__(self, p):
            return np.sum(p * p * self.held)
    return Act


FUNCTION, PAIR, ENTRY, ITEM, CLASS = of(T), (T, 1.0), {"w": T}, [T], class_of(T)
OBJECT = CLASS()


def function(act):
    return lambda p: act(p) + FUNCTION(p)


def pair(held):
    return lambda p: np.sum(p * p * held[0]) + np.sum(p * p * PAIR[0])


def entry(held):
    return lambda p: np.sum(p * p * held["w"]) + np.sum(p * p * ENTRY["w"])


def item(held):
    return lambda p: np.sum(p * p * held[0]) + np.sum(p * p * ITEM[0])


def cls(kind):
    made = kind()
    return lambda p: made(p) + OBJECT(p)


MAKERS = {
    "function": (function, FUNCTION, of),
    "pair": (pair, PAIR, lambda w: (w, 1.0)),
    "entry": (entry, ENTRY, lambda w: {"w": w}),
    "item": (item, ITEM, lambda w: [w]),
    "class": (cls, CLASS, class_of),
}
"""


@pytest.mark.parametrize("holder", ["function", "pair", "entry", "item", "class"])
@pytest.mark.parametrize("first", ["shared", "another"])
def test_what_holds_it(holder: str, first: str) -> None:
    """A function, a container or a class by two names: what is read of one is not read of the other."""
    names: dict[str, Any] = namespace(f"{HOLDERS}\n# {holder} {first}")
    make, shared, holding = names["MAKERS"][holder]
    t, other = names["T"], np.array([10.0, 20.0, 30.0])
    cases = [(shared, t), (holding(other), other)]
    for given, w in (cases if first == "shared" else cases[::-1]) * 2:
        np.testing.assert_allclose(rg.grad(make(given))(np.ones(3)), 2 * t + 2 * w)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("order", ORDERS, ids=lambda names: "-".join(names))
def test_made_again(maker: str, order: tuple[str, ...]) -> None:
    names: dict[str, Any] = namespace(
        f"{TEXT}\n# {maker} {'-'.join(order)}"
    )  # no other test's text
    t = names["T"]
    arrays = {"T": t, "equal": t.copy(), "other": np.array([10.0, 20.0, 30.0])}
    for name in (*order, *order):
        f = names[maker](arrays[name])
        np.testing.assert_allclose(rg.grad(f)(np.ones(3)), t + 2 * arrays[name])
