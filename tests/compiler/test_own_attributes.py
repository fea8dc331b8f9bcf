"""Objects whose classes answer to any name, or raise what they like: nothing of ours asks them."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from retrograd.runtime.tape.boxed_functions import followed
from retrograd.runtime.tape.calls import taped
from tests.verdicts import is_refusal
from tests.written import namespace

pytestmark = pytest.mark.usefixtures("unchecked")

ANSWERS = {
    "raises KeyError": """
    def __getattr__(self, name):
        return self.__dict__["d"][name]
""",
    "raises RuntimeError": """
    def __getattr__(self, name):
        raise RuntimeError(name)
""",
    "numbers": """
    def __getattr__(self, name):
        return 2.0
""",
    "itself": """
    def __getattr__(self, name):
        return self
""",
    "looks up": """
    def __getattribute__(self, name):
        if name in ("k", "w", "scaled", "__dict__", "__class__"):
            return object.__getattribute__(self, name)
        raise RuntimeError(name)
""",
}
CLASS = """
import numpy as np

class C:
    k = 2.0

    def __init__(self):
        self.__dict__["d"] = {"w": 1.0}

    def scaled(self, x):
        return 3.0 * x * x

    def __call__(self, x):
        return 4.0 * x * x

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return 1.5

    def __rmul__(self, x):
        return x + 1.0

    def __float__(self):
        return 2.5
"""
USES = {
    "attribute": "c = C()\ndef f(x):\n    return c.k * x * x",
    "method": "c = C()\ndef f(x):\n    return c.scaled(x)",
    "called": "c = C()\ndef f(x):\n    return c(x)",
    "item": "c = C()\ndef f(x):\n    return c[0] * x * x",
    "len": "c = C()\ndef f(x):\n    return len(c) * x * x",
    "operand": "c = C()\ndef f(x):\n    return x * c",
    "float": "c = C()\ndef f(x):\n    return float(c) * x * x",
    "in a list": "L = [C(), 2.0]\ndef f(x):\n    return L[0].k * x * L[1]",
    "in a dict": "L = {'c': C()}\ndef f(x):\n    return L['c'].k * x * x",
    "a key": "c = C()\nT = {c: 2.0}\ndef f(x):\n    return T[c] * x * x",
    "default": "def f(x, c=C()):\n    return c.k * x * x",
    "closure": "def make():\n    c = C()\n    def f(x):\n        return c.k * x * x\n    return f\nf = make()",
    "made": "def f(x):\n    c = C()\n    c.w = x * x\n    return c.w * c.k",
    "argument": "c = C()\ndef g(x, c):\n    return c.k * x * x\ndef f(x):\n    return g(x, c)",
    "identity": "c = C()\ndef f(x):\n    return x * x if c is not None else x",
    "truth": "c = C()\ndef f(x):\n    return x * x if c else x",
    "isinstance": "c = C()\ndef f(x):\n    return x * x if isinstance(c, C) else x",
    "map": "c = C()\ndef f(x):\n    return sum(map(c, [x, x]))",
    "in an array": "c = C()\ndef f(x):\n    return np.asarray([c.k, 1.0])[0] * x * x",
    "hasattr": "c = C()\ndef f(x):\n    return x * x if hasattr(c, 'k') else x",
}
STEP = 1e-5


def on_tape(f: Any, x: float) -> Any:
    return taped(followed(f), x)[1](1.0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("answers", ANSWERS)
def test_right_or_refused(answers: str, use: str) -> None:
    f = namespace(f"{CLASS}{ANSWERS[answers]}\n{USES[use]}\n")["f"]
    try:
        slope = (f(1.5 + STEP) - f(1.5 - STEP)) / (2 * STEP)
    except RuntimeError:
        return  # Python asks, too
    for way in (
        lambda: rg.grad(f)(1.5),
        lambda: rg.jvp(f, (1.5,), (1.0,))[1],
        lambda: on_tape(f, 1.5),
    ):
        try:
            assert way() == pytest.approx(slope)
        except Exception as error:
            if not is_refusal(error):
                raise
