"""Tuples that are made of lists which are written to: in one function, by a helper, in an object, spread over arguments."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.both_modes import agrees
from tests.written import written

HELPERS = """
def frozen(items):
    return tuple(items)


class Poly:
    def __init__(self, *c):
        self.c = tuple(c)

    def __call__(self, x):
        made = 0.0
        for c in reversed(self.c):
            made = made * x + c
        return made


class Kept:
    def __init__(self, items):
        self.c = tuple(items)


def written_to(x):
    r = [0.0] * len(x)
    for k in range(len(x)):
        r[k] = r[k] + x[k] * x[0]
    return r


def frozen_at_once(x):
    return tuple(written_to(x))


def kept_at_once(x):
    return Kept(written_to(x))
"""
MADE = {
    "loop": "r = [0.0] * len(x)\n    for k in range(len(x)):\n        r[k] = r[k] + x[k] * x[0]\n    t = FROZEN",
    "filtered": "r = [v * v for v in x if v > -1]\n    for k in range(2):\n        r[k] = r[k] * x[1]\n    t = FROZEN",
    "helper": "r = written_to(x)\n    r[1] = r[1] * r[0]\n    t = FROZEN",
}
FROZEN = {
    "tuple": "tuple(r)",
    "helper": "frozen(r)",
    "object": "Kept(r).c",
    "spread": "Poly(*r).c",
}
READ = {
    "loop": "s = 0.0\n    for a in t:\n        s += a * a\n    return s",
    "index": "s = 0.0\n    for k in range(len(t)):\n        s += t[k] * t[0]\n    return s",
    "array": "return np.sum(np.array(t) ** 2)",
    "both": "return sum(t) * r[0]",
}
WHOLE = {
    "returned": "t = frozen_at_once(x)\n    s = 0.0\n    for k in range(len(t)):\n        s += t[k] * t[0]\n    return s",
    "in an object": "t = kept_at_once(x).c\n    s = 0.0\n    for a in t:\n        s += a**2\n    return s",
    "called": "return Poly(*written_to(x))(0.7) * Poly(*x)(x[0])",
}
X = np.array([0.7, 1.3, -0.6])


@pytest.mark.parametrize(("made", "kept", "read"), list(itertools.product(MADE, FROZEN, READ)))
def test_frozen(made: str, kept: str, read: str) -> None:
    body = f"{MADE[made]}\n    {READ[read]}".replace("FROZEN", FROZEN[kept])
    agrees(written(f"{HELPERS}\n\ndef f(x):\n    {body}\n"), X)


@pytest.mark.parametrize("body", WHOLE)
def test_by_helpers(body: str) -> None:
    agrees(written(f"{HELPERS}\n\ndef f(x):\n    {WHOLE[body]}\n"), X, second=True)
