"""Attributes that the class gives a value and an object sets later: they are the object's from the beginning."""

from __future__ import annotations

import numpy as np
import pytest

from tests.both_modes import agrees
from tests.written import written

CLASSES = """
class Sum:
    total = 0.0

    def add(self, v):
        self.total = self.total + v


class Best:
    n = 0
    best = None
    scale = 2.0

    def put(self, v):
        self.n += 1
        if self.best is None or v > self.best:
            self.best = v


class Momentum:
    rate = 0.1
    velocity = 0.0

    def step(self, g):
        self.velocity = 0.9 * self.velocity + g
        return self.rate * self.velocity


class Decaying(Momentum):
    rate = 0.2

    def step(self, g):
        self.rate *= 0.5
        return super().step(g)
"""
PROGRAMS = {
    "in a loop": """
    s = Sum()
    for v in x:
        s.add(v * v)
    return s.total
""",
    "None at first": """
    b = Best()
    for v in x:
        b.put(v * v)
    return b.best * b.n * b.scale
""",
    "in a branch": """
    b = Best()
    if x[0] > 0:
        b.scale = x[1]
    return b.scale * x[2]
""",
    "None but for a branch": """
    b = Best()
    if x[0] > 1:
        b.best = x[1] * x[1]
    return x[2] if b.best is None else b.best * x[2]
""",
    "while": """
    b, k = Best(), 0
    while k < 3:
        if x[k] > 1:
            b.scale *= x[k]
        k += 1
    return b.scale * x[0]
""",
    "arrays": """
    optimiser, w = Momentum(), x.copy()
    for k in range(4):
        w = w - optimiser.step(2 * w)
    return np.sum(w**2)
""",
    "of a base": """
    optimiser, w = Decaying(), x.copy()
    for k in range(4):
        w = w - optimiser.step(2 * w)
    return np.sum(w**2) + optimiser.rate
""",
    "several": """
    w = x.copy()
    for optimiser in [Momentum(), Decaying(), Decaying()]:
        w = w - optimiser.step(np.sin(w))
    return np.sum(w**2)
""",
}
POINTS = [1.3, 0.7, 2.1], [0.4, -1.2, 0.9]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_class_defaults(program: str, point: list[float]) -> None:
    agrees(written(f"{CLASSES}\n\ndef f(x):{PROGRAMS[program]}"), np.array(point))
