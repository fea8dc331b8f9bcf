"""Attributes that one side of a branch sets, and of which the class says nothing: where they are not set, a read raises."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg

from ..written import namespace

CLASSES = """
import numpy as np

class Inner:
    pass

class State:
    level = 0
    inner = None

    def __init__(self, x):
        self.x = x
        {0}
        self.y = 3 * x

    def set_rate(self, x):
        self.rate = x * x

    @property
    def is_high(self):
        if self.x > 2:
            self.rate = self.x * self.x
        return self.x > 1

def helper(o, x):
    if x > 2:
        o.rate = x * x
"""
SETS = {
    "in the constructor": "if x > 2:\n            self.rate = x * x",
    "beside what the class gives": "if x > 2:\n            self.rate = x * x\n            self.level = 1",
    "other things on each side": "if x > 2:\n            self.rate = x * x\n        else:\n            self.level = x",
    "of three ways": "if x > 3:\n            self.rate = x * x\n        elif x > 2:\n            self.rate = x\n        else:\n            self.level = 2",
    "one way in two": "if x > 1:\n            if x > 2:\n                self.rate = x * x",
    "by a method": "if x > 2:\n            self.set_rate(x)",
    "by a helper": "helper(self, x)",
    "by a property": "if self.is_high:\n            self.level = 1",
    "a constant": "if x > 2:\n            self.rate = 2.5",
    "an array": "if x > 2:\n            self.rate = np.array([x, x * x]).sum()",
    "by setattr": "if x > 2:\n            setattr(self, 'rate', x * x)",
    "with an object": "if x > 2:\n            self.inner = Inner()\n            self.inner.rate = self.rate = x * x",
}  # fmt: skip
RESULTS = {
    "not read": "o.x * o.y + o.level",
    "read": "o.x * o.rate",
    "read twice": "o.rate * o.rate",
    "read on its way": "o.x * (o.rate if o.x > 2 else 2.0 * o.x)",
    "asked for": "o.y * (o.rate if hasattr(o, 'rate') else o.x)",
    "with another value": "o.y * getattr(o, 'rate', o.x)",
    "by name": "o.x * getattr(o, 'rate')",
}
AFTER = {
    "as it is": "o = State(x)",
    "set again": "o = State(x)\n    if x > 2.7:\n        o.rate = o.rate * x",
    "set for all": "o = State(x)\n    o.rate = x * x * x",
    "of two objects": "o = State(x) if x < 2.7 else State(2 * x)",
}
POINTS = (0.6, 1.3, 2.4, 3.1)


def outcome(f: Any, *args: Any) -> Any:
    try:
        return f(*args)
    except AttributeError as error:
        return str(error)


def same_as_differences(f: Any) -> None:
    derivative, forward = rg.grad(f, strict=True), lambda x: rg.jvp(f, (x,), (1.0,), strict=True)[1]
    second = rg.grad(derivative, strict=True)
    for x in POINTS:
        if isinstance(said := outcome(f, x), str):
            for way in (derivative, forward, second):
                assert outcome(way, x) == said
            continue
        slope = (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
        curve = (f(x + 1e-4) - 2 * f(x) + f(x - 1e-4)) / 1e-8
        assert derivative(x) == pytest.approx(slope, rel=1e-6)
        assert forward(x) == pytest.approx(slope, rel=1e-6)
        assert second(x) == pytest.approx(curve, rel=1e-4, abs=1e-4)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("sets", SETS)
def test_sets(sets: str, after: str) -> None:
    text = CLASSES.format(SETS[sets])
    for result in RESULTS.values():
        made = namespace(f"{text}\ndef f(x):\n    {AFTER[after]}\n    return {result}\n")
        same_as_differences(made["f"])


def test_the_class_gives_it_later() -> None:
    """The class is asked: where it gives a value later, that is what is read, and not an error."""
    text = CLASSES.format(SETS["in the constructor"])
    made = namespace(f"{text}\ndef f(x):\n    o = State(x)\n    return o.x * o.rate\n")
    derivative = rg.grad(made["f"], strict=True)
    with pytest.raises(AttributeError, match="'State' object has no attribute 'rate'"):
        derivative(1.3)
    made["State"].rate = 7.0
    assert derivative(1.3) == 7.0
    assert derivative(3.0) == pytest.approx(27.0)


def test_what_the_class_computes() -> None:
    """A class with ``__getattr__`` answers for what is not set: that is not followed, and refused."""
    text = CLASSES.format(SETS["in the constructor"])
    text += "\nclass Answering(State):\n    def __getattr__(self, name):\n        return 4.0\n"
    made = namespace(f"{text}\ndef f(x):\n    o = Answering(x)\n    return o.x * o.rate\n")
    with pytest.raises(rg.RetrogradError, match="different kind of thing"):
        rg.grad(made["f"], strict=True)(3.0)


def test_an_object_that_is_returned() -> None:
    """What leaves the function is an object, and no text says which attributes it has then."""
    text = CLASSES.format(SETS["in the constructor"])
    made = namespace(f"{text}\ndef f(x):\n    return State(x)\n")
    with pytest.raises(rg.RetrogradError, match="an attribute of which only some ways set"):
        rg.vjp(made["f"], 3.0, strict=True)
