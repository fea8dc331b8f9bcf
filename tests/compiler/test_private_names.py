"""Private names of a class, in its methods, in what they define, and in classes below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import retrograd as rg

pytestmark = pytest.mark.usefixtures("unchecked")
__top = 3.0
_Spring__top = 5.0


class Spring:
    """Each method names something private."""

    __shared = 2.0

    def __init__(self, k: float) -> None:
        self.__k = k
        self.__at__ = 1.5

    def attribute(self, x: float) -> float:
        return 0.5 * self.__k * x * x

    def method(self, x: float) -> float:
        return self.__square(x) * self.__k

    def __square(self, x: float) -> float:
        return x * x

    def of_class(self, x: float) -> float:
        return Spring.__shared * x * x

    def dunder(self, x: float) -> float:
        return self.__at__ * x * x

    def parameter(self, __x: float, __n: int = 3) -> float:
        return __x**__n

    def by_position(self, x: float) -> float:
        return self.parameter(x, 2)

    def local(self, x: float) -> float:
        __y = x * x
        for __i in range(3):
            __y = __y * x
        return __y

    def inner(self, x: float) -> float:
        def __g(__a: float) -> float:
            return __a * self.__k * x

        return __g(x)

    def in_lambda(self, x: float) -> float:
        g = lambda a: a * self.__k * x
        return g(x)

    def comprehension(self, x: float) -> float:
        return sum([__a * x * self.__k for __a in (1.0, x)])

    def of_module(self, x: float) -> float:
        return __top * x * x

    def write(self, x: float) -> float:
        self.__kept = x * x
        return self.__kept * x

    def unpacked(self, x: float) -> float:
        __a, *__b = x, x * x, 2.0
        return __a * __b[0] * __b[1]

    def tried(self, x: float) -> float:
        try:
            return x * x / (self.__k - self.__k)
        except ZeroDivisionError as __e:
            return x * self.__k

    def default(self, x: float, k: float = __shared) -> float:
        return k * x * x

    def made(self, x: float) -> float:
        return Spring(x).__k * x


class Longer(Spring):
    """Has private names of its own beside those of its base."""

    def __init__(self, k: float) -> None:
        super().__init__(k)
        self.__k = 11.0

    def both(self, x: float) -> float:
        return self.__k * x * x + self.attribute(x)


class __Hidden:
    """A class whose name begins with underscores."""

    def __init__(self) -> None:
        self.__k = 7.0

    def value(self, x: float) -> float:
        return self.__k * x * x


class _:
    """A class of underscores alone: nothing is private in it."""

    __k = 7.0

    def value(self, x: float) -> float:
        return self.__k * x * x


def outer() -> Any:
    class Inside:
        def __init__(self) -> None:
            self.__k = 7.0

        def value(self, x: float) -> float:
            return self.__k * x * x

    return Inside()


SPRING, LONGER = Spring(2.0), Longer(2.0)
METHODS = [name for name in vars(Spring) if not name.startswith("_")]
FUNCTIONS: dict[str, Callable[[float], float]] = {
    **{name: getattr(SPRING, name) for name in METHODS},
    **{f"{name} of a class below": getattr(LONGER, name) for name in [*METHODS, "both"]},
    "underscores before": globals()["__Hidden"]().value,
    "underscores alone": _().value,
    "in a function": outer().value,
}
WAYS: dict[str, Callable[[Any], Callable[[float], Any]]] = {
    "grad": rg.grad,
    "jvp": lambda f: lambda x: rg.jvp(f, (x,), (1.0,))[1],
    "called": lambda f: rg.grad(lambda x: f(x)),
}


SAMPLE = [  # what a global object keeps of its own is refused
    (name, "grad" if name.startswith("write") else list(WAYS)[k % len(WAYS)])
    for k, name in enumerate(FUNCTIONS)
]


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "way"), SAMPLE)
def test_private_names_are_those_of_the_class(name: str, way: str) -> None:
    f = FUNCTIONS[name]
    slope = (f(1.5 + 1e-5) - f(1.5 - 1e-5)) / 2e-5
    assert WAYS[way](f)(1.5) == pytest.approx(slope, rel=1e-7)
