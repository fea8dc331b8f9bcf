"""What a function changes besides computing: a batch is its examples one after the other, what is drawn is drawn for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import TapeWarning

TABLE = np.array([1.0, 2.0, 3.0])
COUNTS = {"n": 0}
SEEN: list[float] = []
RNG = np.random.default_rng(0)


class Box:
    def __init__(self) -> None:
        self.k = 1.0

    def doubled(self) -> float:
        self.k *= 2
        return self.k


BOX = Box()


def begin() -> None:
    TABLE[:] = [1.0, 2.0, 3.0]
    COUNTS["n"] = 0
    SEEN.clear()
    BOX.k = 1.0


def scale(table: Any) -> None:
    table[0] *= 1.1


def by_a_helper(x: Any) -> Any:
    scale(TABLE)
    return np.sum(TABLE) * x


def itself(x: Any) -> Any:
    TABLE[0] *= 1.1
    return np.sum(TABLE) * x


def in_a_dict(x: Any) -> Any:
    COUNTS["n"] += 1
    return x * COUNTS["n"]


def in_a_list(x: Any) -> Any:
    SEEN.append(1.0)
    return x * len(SEEN)


def in_an_object(x: Any) -> Any:
    BOX.k *= 2
    return x * BOX.k


def by_a_method(x: Any) -> Any:
    return x * BOX.doubled()


STATEFUL = [by_a_helper, itself, in_a_dict, in_a_list, in_an_object, by_a_method]


@pytest.mark.parametrize("fn", STATEFUL)
@pytest.mark.parametrize("inner", [lambda f: f, rg.grad], ids=["value", "gradient"])
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.usefixtures("taped")
def test_each_example_sees_what_those_before_it_did(fn: Any, inner: Any) -> None:
    begin()
    wanted = [inner(fn)(x) for x in (0.5, 1.0, 2.0)]
    begin()
    found = rg.vmap(inner(fn))(np.array([0.5, 1.0, 2.0]))
    np.testing.assert_allclose(found, wanted)


@pytest.mark.usefixtures("taped")
def test_it_is_said() -> None:
    def said(x: Any) -> Any:
        SEEN.append(1.0)
        return x * len(SEEN)

    with pytest.warns(TapeWarning, match="a batch would run `said` once"):
        rg.vmap(said)(np.ones(2))


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_a_list_that_is_only_appended_to_is_a_log() -> None:
    def logged(x: Any) -> Any:
        y = np.sin(x)
        SEEN.append(y)
        return y * y

    begin()
    found = rg.vmap(logged)(np.array([0.5, 1.0, 2.0]))
    np.testing.assert_allclose(found, np.sin([0.5, 1.0, 2.0]) ** 2)
    assert [float(y) for y in SEEN[:3]] == [*np.sin([0.5, 1.0, 2.0])]


def noise() -> Any:
    return RNG.normal()


def scaled_noise(k: float) -> Any:
    return noise() * k


def drawn(x: Any) -> Any:
    return x * RNG.normal()


def drawn_by_a_helper(x: Any) -> Any:
    return x * scaled_noise(2.0)


def drawn_in_a_loop(x: Any) -> Any:
    for _ in range(2):
        x = x * scaled_noise(2.0)
    return x


@pytest.mark.parametrize("fn", [drawn, drawn_by_a_helper, drawn_in_a_loop])
def test_each_example_has_draws_of_its_own(fn: Callable[[Any], Any]) -> None:
    for batch in (rg.vmap(fn), rg.vmap(rg.grad(fn)), rg.grad(lambda x: np.sum(rg.vmap(fn)(x)))):
        assert len(np.unique(batch(np.ones(4)))) == 4


@pytest.mark.parametrize("fn", [by_a_helper, in_a_list, in_an_object, by_a_method])
def test_a_derivative_does_it_once_for_each_call(fn: Any) -> None:
    begin()
    wanted = [fn(1.0) for _ in range(3)]
    begin()
    derivative = rg.grad(fn)
    np.testing.assert_allclose([derivative(1.0) for _ in range(3)], wanted)


class Counted:
    def __init__(self) -> None:
        self.n = 0

    def times(self, x: Any) -> Any:
        self.n += 1
        return self.n * x


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_the_object_of_a_method_is_what_each_example_left() -> None:
    for inner in (lambda f: f, rg.grad):
        one, other = Counted(), Counted()
        wanted = [inner(one.times)(x) for x in (0.5, 1.0, 2.0)]
        found = rg.vmap(inner(other.times))(np.array([0.5, 1.0, 2.0]))
        np.testing.assert_allclose(found, wanted)
        assert (one.n, other.n) == (3, 3)
