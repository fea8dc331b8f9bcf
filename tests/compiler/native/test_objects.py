"""Objects of the module that change while a kernel is there: it looks at them as the text does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import retrograd as rg
from retrograd.compiler.native.loop_ir.values import Constant
from retrograd.compiler.native.reader.module_objects import known
from retrograd.compiler.native.reader.values import Object

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]


class Thing:
    """Attributes, an attribute of its class, a container."""

    of_class = "on"

    def __init__(self) -> None:
        self.word = "on"
        self.words = {"on"}

    def __len__(self) -> int:
        return len(self.words)


SET, DICT, LIST, NESTED = {"on"}, {"on": 1.0}, ["on"], ({"on"}, "on")
THING = Thing()


def reset() -> None:
    for held in (SET, THING.words, NESTED[0]):
        held.clear()  # type: ignore[union-attr]
        held.add("on")  # type: ignore[union-attr]
    DICT.clear()
    DICT["on"] = 1.0
    LIST[:] = ["on"]
    THING.word = Thing.of_class = "on"
    THING.extra = 1  # type: ignore[attr-defined]


def change() -> None:
    for held in (SET, THING.words, NESTED[0], DICT):
        held.clear()  # type: ignore[union-attr]
    LIST[:] = []
    THING.word = Thing.of_class = "off"
    if hasattr(THING, "extra"):
        del THING.extra


def in_set(x: float) -> float:
    return x * x if "on" in SET else 3.0 * x * x


def not_in_set(x: float) -> float:
    return x * x if "on" not in SET else 3.0 * x * x


def in_dict(x: float) -> float:
    return x * x if "on" in DICT else 3.0 * x * x


def in_list(x: float) -> float:
    return x * x if "on" in LIST else 3.0 * x * x


def in_attribute(x: float) -> float:
    return x * x if "on" in THING.words else 3.0 * x * x


def in_tuple(x: float) -> float:
    return x * x if "on" in NESTED[0] else 3.0 * x * x


def truth(x: float) -> float:
    return x * x if SET else 3.0 * x * x


def no_truth(x: float) -> float:
    return x * x if not LIST else 3.0 * x * x


def truth_of_object(x: float) -> float:
    return x * x if THING else 3.0 * x * x


def length(x: float) -> float:
    return x * x * len(LIST) + x


def equal(x: float) -> float:
    return x * x if ["on"] == LIST else 3.0 * x * x


def attribute(x: float) -> float:
    return x * x if THING.word == "on" else 3.0 * x * x


def attribute_of_class(x: float) -> float:
    return x * x if Thing.of_class == "on" else 3.0 * x * x


def has_attribute(x: float) -> float:
    return x * x if hasattr(THING, "extra") else 3.0 * x * x


def of_instance(x: float) -> float:
    return x * x if isinstance(THING, Thing) and "on" in SET else 3.0 * x * x


def in_loop(x: float) -> float:
    y = 0.0
    for k in range(40):
        y = y + x * k if "on" in SET else y + x * x
    return y


LOOKS = [in_set, not_in_set, in_dict, in_list, in_attribute, in_tuple, truth, no_truth, truth_of_object,
         length, equal, attribute, attribute_of_class, has_attribute, of_instance, in_loop]  # fmt: skip
WAYS: dict[str, Callable[[Any], Callable[[float], Any]]] = {
    "grad": lambda f: rg.grad(f, backend="c"),
    "jacobian": lambda f: rg.jacobian(f, backend="c"),
    "decorated": lambda f: rg.differentiate(f, backend="c").grad,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", LOOKS, ids=[f.__name__ for f in LOOKS])
def test_a_look_at_an_object_is_no_constant(f: Callable[[float], float], way: str) -> None:
    reset()
    try:
        g = WAYS[way](f)
        found = []
        for step in (lambda: None, change, reset):
            step()
            slope = (f(1.5 + 1e-4) - f(1.5 - 1e-4)) / 2e-4
            found.append((g(1.5), pytest.approx(slope)))
        assert all(a == b for a, b in found), found
    finally:
        reset()


def word(x: float, k: str) -> float:
    return x * x if k in SET else 3.0 * x * x


def test_an_argument_is_looked_for() -> None:
    reset()
    g = rg.grad(word, backend="c")
    assert [g(1.5, k) for k in ("on", "off", "on")] == [3.0, 9.0, 3.0]
    SET.add("off")
    assert [g(1.5, k) for k in ("on", "off", "on")] == [3.0, 3.0, 3.0]
    reset()


@pytest.mark.parametrize("value", [{1}, {}, [], THING, Thing, bytearray(), iter(()), THING.__len__])
def test_what_may_change_is_no_constant(value: Any) -> None:
    found = known(value)
    assert isinstance(found, Object) or (value is Thing and isinstance(found, Constant))
