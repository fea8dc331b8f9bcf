"""Loops that leave another structure than they begin with, over a few numbers: their iterations stand one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax

from ..both_modes import agrees, differences
from ..written import written

X = np.array([0.7, -0.4, 1.2, 0.5])

PROGRAMS = {
    "an array becomes a list": """
def f(x):
    y = x
    for i in range(2):
        y = [(k + 1) * v for k, v in enumerate(y)]
    return sum(v * v for v in y)
""",
    "a list of unknown length": """
def f(x):
    c, n = x, len(x)
    rest = [0.0] * n
    for i in range(2):
        n -= 1
        for j in range(n, 0, -1):
            rest[j - 1] = j * c[j]
        c = rest[0:n]
    return sum(v**2 for v in c)
""",
    "keys are added": """
def f(x):
    total, state = 0.0, None
    for k in range(3):
        state = {"a": x[0]} if state is None else {"a": state["a"] * x[1], "b": x[2]}
        total = total + sum(state.values())
    return total
""",
    "tuples of tuples": """
def f(x):
    t = x[0]
    for i in range(3):
        t = (t, x[i])
    (((a, b), c), d) = t
    return a * b + c * d * d
""",
    "counted down": """
def f(x):
    t = (x[3],)
    for i in range(2, -1, -1):
        t = (x[i] * t[0], *t)
    return sum(t)
""",
}

DERIVATIVE = """
def derivative(c, m=1):
    if m == 0:
        return c
    n = len(c)
    if m >= n:
        c = []
    else:
        rest = [0.0] * n
        for i in range(m):
            n -= 1
            for j in range(n, 0, -1):
                rest[j - 1] = j * c[j]
            c = rest[0:n]
    return c

def f(c, m):
    return sum(v**2 for v in derivative(c, m))
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_iterations_one_after_another(name: str) -> None:
    agrees(written(PROGRAMS[name]), X)


@pytest.mark.parametrize("strict", [True, False])
def test_another_number_of_iterations(strict: bool) -> None:
    f: Any = written(DERIVATIVE)
    gradient = rg.grad(f, strict=strict)
    for m in (1, 2, 3, 0, 1, 5, 2):
        np.testing.assert_allclose(gradient(X, m), differences(f, (X, m)), rtol=1e-5, atol=1e-7)


def test_many_iterations_are_refused() -> None:
    text = PROGRAMS["tuples of tuples"].replace("range(3)", "range(50)")
    with pytest.raises(UnsupportedSyntax, match="changes its structure in this loop"):
        rg.grad(written(text), strict=True)(X)
