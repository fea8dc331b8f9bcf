"""Attributes that one side of a branch sets, and the class gives a value: the other side has the class's."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg

from ..written import namespace

CLASSES = """
class Phase:
    sigma = None
    scale = 2.0
    steps = (1.0, 3.0)

    def __init__(self, x):
        self.x = x
        {0}
        self.y = 3 * x

    def set_sigma(self, x):
        self.sigma = x * x

    def set_scale(self, x):
        self.scale = self.scale * x

class Liquid(Phase):
    scale = 5.0

def helper(o, x):
    if x > 1:
        o.scale = x
    return o
"""
SETS = {
    "in the constructor": "if x > 2:\n            self.scale = x * x",
    "on both sides": "if x > 2:\n            self.scale = x * x\n            self.sigma = x\n        else:\n            self.sigma = 2 * x\n            self.scale = x",
    "one on each side": "if x > 2:\n            self.scale = x * x\n        elif x > 1:\n            self.sigma = 2 * x",
    "a tuple": "if x > 2:\n            self.steps = (x, x * x)",
    "by a method": "if x > 2:\n            self.set_scale(x)\n        else:\n            self.set_sigma(x)",
    "in a loop": "for k in range(3):\n            if x > k:\n                self.scale = self.scale * x",
    "by a helper": "helper(self, x)",
    "with another one": "if x > 2:\n            self.other = x\n            self.scale = x * x\n        else:\n            self.other = 2 * x",
}  # fmt: skip
RESULTS = {
    "a number": "o.x * o.y * o.scale",
    "None": "o.scale if o.sigma is None else o.sigma * o.x",
    "an item": "o.steps[1] * o.x * o.scale",
    "asked": "o.y * (o.scale if hasattr(o, 'scale') else 7.0)",
}
AFTER = {
    "as it is": "o = Phase(x)",
    "of a subclass": "o = Liquid(x)",
    "set again": "o = Phase(x)\n    if x > 2.2:\n        o.scale = o.scale * x",
    "of two objects": "o = Phase(x) if x > 1.5 else Phase(2 * x)",
    "in a list": "o = [Phase(x), Phase(x * x)][1]",
    "through a helper": "o = helper(Phase(x), x)",
}


def same_as_differences(f: Any) -> None:
    derivative = rg.grad(f, strict=True)
    second = rg.grad(derivative)
    for x in (0.6, 1.3, 1.7, 2.4, 3.1):
        slope = (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
        curve = (f(x + 1e-4) - 2 * f(x) + f(x - 1e-4)) / 1e-8
        assert derivative(x) == pytest.approx(slope, rel=1e-6)
        assert rg.jvp(f, (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
        assert second(x) == pytest.approx(curve, rel=1e-4, abs=1e-4)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("sets", SETS)
def test_sets(sets: str, after: str) -> None:
    text = CLASSES.format(SETS[sets])
    for result in RESULTS.values():
        made = namespace(f"{text}\ndef f(x):\n    {AFTER[after]}\n    return {result}\n")
        same_as_differences(made["f"])


def test_another_default_later() -> None:
    """The class is asked: where it gives another value later, the derivative is made anew."""
    text = CLASSES.format(SETS["in the constructor"])
    made = namespace(f"{text}\ndef f(x):\n    o = Phase(x)\n    return o.x * o.scale\n")
    f, derivative = made["f"], rg.grad(made["f"], strict=True)
    assert derivative(1.3) == 2.0
    made["Phase"].scale = 7.0
    assert f(1.3) == 1.3 * 7.0
    assert derivative(1.3) == 7.0
    assert derivative(3.0) == pytest.approx(27.0)


@pytest.mark.parametrize("x", [1.5, 3.0])
def test_of_an_argument(x: float) -> None:
    """An object that came with the arguments has what it has, and not what its class says."""
    text = CLASSES.format("pass")
    made = namespace(
        f"{text}\ndef f(o, x):\n    if x > 2:\n        o.sigma = x\n    return o.scale * x * x\n"
    )
    for scale in (5.0, None):
        one = made["Phase"](1.0)
        if scale is not None:
            one.scale = scale
        expected = 2 * x * (scale or 2.0)
        assert rg.grad(made["f"], wrt=1, strict=True)(one, x) == pytest.approx(expected)
