"""Generator expressions that something goes over at once: loops, comprehensions, ``*args``, ``dict``."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees
from tests.written import written

BEFORE = """
class Sum:
    def __init__(self, *parts):
        self.parts = tuple(parts)

    def total(self):
        return sum(p * k for k, p in enumerate(self.parts, 1))


def total(*parts):
    return sum(parts) * len(parts)
"""
BODIES = {
    "loop": "s = 0.0\n    for a, b in ((v, v * v) for v in x):\n        s += a * b\n    return s",
    "filtered loop": "s = x[0]\n    for a in (v * v for v in x if v > 0):\n        s = s * a + a\n    return s",
    "sum": "return sum(a * b for a, b in ((v, v * v * v) for v in x))",
    "list": "return np.prod([a + b for a, b in ((v, v * v) for v in x)])",
    "dict": "d = {k: v for k, v in ((str(k), v * v) for k, v in enumerate(x))}\n    return d['0'] * d['2']",
    "dict of texts": "d = {k: float(v) for k, v in (s.split('=') for s in 'a=2,b=0.5'.split(','))}\n    return d['a'] * x[0] ** 2",
    "spread": "return total(*(v * v for v in x))",
    "spread, filtered": "return total(*(k * v for k, v in enumerate(x) if k))",
    "spread, of an object": "return Sum(*(v * v for v in x)).total()",
    "spread, of an object, a list": "return Sum(*[v * v for v in x if v > 0]).total()",
    "nested": "return sum(w * w for w in (v * x[0] for v in (u + 1.0 for u in x)))",
    "with what is bound in a loop": "s = 0.0\n    for k in range(3):\n        for a in (v * k for v in x):\n            s += a * a\n    return s",
}
X = np.array([0.7, 1.3, -0.6, 0.9])


@pytest.mark.parametrize("body", BODIES)
def test_gone_over(body: str) -> None:
    agrees(written(f"{BEFORE}\n\ndef f(x):\n    {BODIES[body]}\n"), X)


def test_left_before_its_end() -> None:
    """What a generator would not have computed might raise."""
    f = written(
        """
def f(x):
    for v in (1.0 / u for u in x):
        if v > 0.0:
            return v
    return x[0]
"""
    )
    with pytest.raises(rg.RetrogradError):
        rg.grad(f, strict=True)(X)
