"""Objects as arguments: each class has texts of its own, whatever it is called, and its methods are its methods."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch


@dataclass
class Law:
    k: float
    scale: ClassVar[float] = 1.0

    def at(self, x: float) -> float:
        return self.k * x * x * self.scale


class Linear(Law):
    def at(self, x: float) -> float:
        return self.k * x


class Named(NamedTuple):
    k: float

    def at(self, x: float) -> float:
        return self.k * x * x


class Cubic(Named):
    def at(self, x: float) -> float:
        return self.k * x**3


class Plain:
    def __init__(self, k: float) -> None:
        self.k = k

    def at(self, x: float) -> float:
        return self.k * x * x


class Root(Plain):
    def at(self, x: float) -> float:
        return self.k * x**0.5


def again(base: type, power: int) -> type:
    """A class as a cell of a notebook makes it anew: everything is called as before."""

    def at(self: Any, x: float) -> float:
        return float(self.k * x**power)

    return type(base.__name__, (base,), {"at": at, "__qualname__": base.__qualname__})


FAMILIES: list[tuple[type, ...]] = [
    (Law, Linear, again(Law, 3), again(Law, 4)),
    (Named, Cubic, again(Named, 1), again(Named, 4)),
    (Plain, Root, again(Plain, 3), again(Plain, 4)),
]


def value(x: float, law: Any) -> float:
    return law.at(x)  # type: ignore[no-any-return]


def held(x: float, laws: Any) -> float:
    return laws["first"][0].at(x)  # type: ignore[no-any-return]


def doors(fn: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """The derivative by each way that keeps what it has made."""
    yield rg.grad(fn)
    yield rg.differentiate(fn).grad
    yield lambda x, law: rg.jvp(fn, (x, law), (1.0, None))[1]
    yield lambda x, law: rg.vjp(fn, x, law, wrt="x")[1](1.0)[0]


def slope(fn: Callable[..., Any], x: float, law: Any) -> float:
    return float((fn(x + 1e-6, law) - fn(x - 1e-6, law)) / 2e-6)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f[0].__name__)
@pytest.mark.parametrize("fn", [value, held])
def test_classes_are_told_apart_by_what_they_are(family: Any, fn: Callable[..., Any]) -> None:
    given = [(lambda law: {"first": [law]}) if fn is held else (lambda law: law)][0]
    for door in doors(fn):
        for cls in [*family, *reversed(family)]:
            law = given(cls(2.0))
            assert door(1.3, law) == pytest.approx(slope(fn, 1.3, law), abs=1e-6), cls


def changed(law: Any) -> Any:
    law.at = lambda x: 7.0 * x
    return law


@pytest.mark.parametrize("orders", list(itertools.permutations([Law(2.0), changed(Law(2.0))])))
def test_an_attribute_in_place_of_a_method_is_seen(orders: Any) -> None:
    """It is refused: what was compiled is the method of the class."""
    for door in doors(value):
        for law in [*orders, *orders]:
            if "at" not in vars(law):
                assert door(1.3, law) == pytest.approx(slope(value, 1.3, law), abs=1e-6)
            else:
                with pytest.raises(SignatureMismatch, match="in place of the method 'at'"):
                    door(1.3, law)


def test_an_attribute_in_place_of_a_number_of_the_class_is_read() -> None:
    law = Law(2.0)
    law.scale = 5.0  # type: ignore[misc]
    derivative = rg.grad(value)
    for given in (Law(2.0), law, Law(2.0)):
        assert derivative(1.3, given) == pytest.approx(slope(value, 1.3, given), abs=1e-6)
