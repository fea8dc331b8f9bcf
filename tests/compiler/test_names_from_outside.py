"""Names that a text reads from outside, and variables of the program that are called like them."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

HEAD = """
from dataclasses import dataclass


@dataclass
class Pair:
    first: object
    second: object


def made(x):
    return Pair(x * 2.0, x * x)


at, scale, table = 1, 3.0, {"k": 2.0}


"""
PROGRAMS = {
    "end of a slice": ("at", "np.sum(x[at:])"),
    "step of a slice": ("at", "np.sum(x[::at])"),
    "slice of an axis": ("at", "np.sum(x.reshape(1, 3)[0, at:])"),
    "factor": ("scale", "np.sum(x * scale)"),
    "option": ("at", "np.sum(np.roll(x, shift=at) * x)"),
    "in a tuple": ("at", "np.sum(x.reshape((at, 3)) * x[0])"),
    "in a list": ("scale", "np.sum(np.array([scale, x[0]]))"),
    "key": ("table", "x[0] * table['k']"),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_loop_of_the_same_name(case):
    """What is inlined into a function reads the module, not the variable that the function has."""
    name, expression = PROGRAMS[case]
    text = f"""{HEAD}def part(x):
    return {expression}


def f(x):
    s = 0.0
    for {name} in range(3):
        s = s + part(x * ({name} + 1.0)) * {name}
    return s
"""
    f = written(text)
    rg.check_grads(rg.differentiate(strict=True)(f), (np.array([0.4, 1.1, -0.3]),))


@pytest.mark.parametrize("name", ["Pair", "pair", "made"])
def test_a_class_that_is_returned(name):
    """The text makes such an object, whatever the function calls its variables."""
    f = written(
        f"{HEAD}def f(x):\n    {name} = x * 3.0\n    return made({name})\n".replace(
            "made(made)", "Pair(made * 2.0, made * made)"
        )
    )
    value, tangent = rg.jvp(f, (1.5,), (1.0,), strict=True)
    assert (value.first, value.second) == (9.0, 20.25)
    assert (tangent.first, tangent.second) == (6.0, 27.0)
