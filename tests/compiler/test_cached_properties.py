"""``functools.cached_property``: what it computes is an attribute of the object from then on."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees
from tests.written import written

CLASSES = """
import functools
from dataclasses import dataclass


class Open:
    def __init__(self, s):
        self.s = s

    @functools.cached_property
    def trace(self):
        return np.trace(self.s)

    @functools.cached_property
    def rows(self):
        return self.s.sum(axis=0) * self.trace


@dataclass(frozen=True)
class Fixed:
    s: object

    @functools.cached_property
    def trace(self):
        return np.trace(self.s)

    @functools.cached_property
    def rows(self):
        return self.s.sum(axis=0) * self.trace


def made(cls, x):
    return cls(np.outer(x, x) + np.diag(x))


def used(m):
    return m.trace * 2
"""
BODIES = {
    "once": "return m.trace * x[0]",
    "twice": "return m.trace * m.trace * x[0]",
    "one by another": "return m.rows @ x + m.trace",
    "written to in between": "y = m.trace\n    m.s[0, 0] = x[1]\n    return y * m.trace + m.s.sum()",
    "what it gave is written to": "y = m.rows @ x\n    m.rows[0] = x[2]\n    return y * (m.rows @ x)",
    "in a helper": "return used(m) * m.trace",
    "of two objects": "n = made(type(m), 2 * x)\n    return m.trace * n.trace",
    "in both branches": "y = m.trace * x[0] if x[1] > 0 else m.trace\n    return y * x[2]",
    "before a loop": "y = m.trace\n    for k in range(3):\n        y = y + m.trace * x[k]\n        m.s[0, 0] += x[k]\n    return y + m.s[0, 0]",
    "in a loop over a few numbers": "y = x[0]\n    for k in range(3):\n        y = y + m.trace * x[k]\n        m.s[0, 0] += x[k]\n    return y",
}
LATE = {
    "in a loop": "y = x[0]\n    for k in range(len(x)):\n        y = y + m.trace * x[k]\n        m.s[0, 0] += x[k]\n    return y",
    "in one branch": "y = x[0]\n    if x[1] > 0:\n        y = m.trace\n    m.s[0, 0] = x[1]\n    return y * m.trace",
}
X = np.array([0.7, 1.3, -0.6])


def text_of(cls: str, body: str) -> str:
    return f"{CLASSES}\n\ndef f(x):\n    m = made({cls}, x)\n    {body}\n"


@pytest.mark.parametrize("cls", ["Open", "Fixed"])
@pytest.mark.parametrize("body", BODIES)
def test_computed_once(cls: str, body: str) -> None:
    f = written(text_of(cls, BODIES[body]))
    agrees(f, X)
    agrees(f, X * [1, -1, 1])


@pytest.mark.parametrize("cls", ["Open", "Fixed"])
@pytest.mark.parametrize("body", LATE)
def test_perhaps_computed(cls: str, body: str) -> None:
    """Whether an object has the attribute yet is not carried: refused, and never computed anew."""
    with pytest.raises(rg.RetrogradError):
        rg.grad(written(text_of(cls, LATE[body])), strict=True)(X)
