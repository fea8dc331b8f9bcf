"""`SimpleNamespace`: made in the function, handed over, written to, returned."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

BODIES = {
    "read": "p = SimpleNamespace(a=x, b=2.0)\n    return p.a * p.b",
    "written": "p = SimpleNamespace(a=x)\n    p.c = p.a * 2\n    p.a = p.c * x\n    return p.c * p.a",
    "empty at first": "p = SimpleNamespace()\n    p.a = x\n    q = p\n    q.a = x * 3\n    return p.a * x",
    "by a dict": "p = SimpleNamespace(**{'a': x, 'b': 2.0})\n    return p.a * p.b * x",
    "chosen": "p = SimpleNamespace(a=x) if flag else SimpleNamespace(a=x * x)\n    return p.a * 2",
    "written on one way": "p = SimpleNamespace(a=x)\n    if flag:\n        p.a = p.a * x\n    return p.a * 2",
    "summed in a loop": (
        "s = SimpleNamespace(total=0.0, n=0)\n    for k in range(3):\n        s.total = s.total + x * x * k\n"
        "        s.n += 1\n    return s.total / s.n"
    ),
    "a list inside": "p = SimpleNamespace(rest=[x, 2.0])\n    p.rest[0] = p.rest[0] * 3\n    return p.rest[0] * x",
    "asked": "p = SimpleNamespace(a=x)\n    return x * (1.0 if hasattr(p, 'b') else getattr(p, 'a'))",
    "its class": "p = SimpleNamespace(a=x)\n    return x * x if isinstance(p, SimpleNamespace) else x",
    "written by a callee": "p = SimpleNamespace(a=x)\n    doubled(p)\n    return p.a * x",
    "made by a callee": "return made(x).a * made(x).b",
    "a function inside": "p = SimpleNamespace(a=x, f=lambda v: v * v)\n    return p.f(p.a)",
    "handed over": "return given.a * x * x",
}
HEAD = (
    "def doubled(p):\n    p.a = p.a * 2\n\n\ndef made(x):\n    return SimpleNamespace(a=x, b=x * 2)\n\n\n"
    "def f(x, flag, given):\n    "
)


@pytest.mark.parametrize("body", BODIES)
def test_right(body):
    f = written(HEAD + BODIES[body], SimpleNamespace=SimpleNamespace)
    derivative = rg.grad(f, strict=True)
    for flag in (True, False):
        x, rest = 1.3, (flag, SimpleNamespace(a=0.7))
        want = (f(x + 1e-6, *rest) - f(x - 1e-6, *rest)) / 2e-6
        np.testing.assert_allclose(derivative(x, *rest), want, rtol=1e-6)
        tangent = rg.jvp(lambda x: f(x, *rest), (x,), (1.0,), strict=True)[1]  # noqa: B023
        np.testing.assert_allclose(tangent, want, rtol=1e-6)


def test_what_is_written_to_one_of_the_caller_is_there_after_it():
    f = written(
        "def f(x, p):\n    p.a = p.a * x\n    return p.a * x", SimpleNamespace=SimpleNamespace
    )
    mine, theirs = SimpleNamespace(a=3.0), SimpleNamespace(a=3.0)
    value, bar = rg.value_and_grad(f, strict=True)(2.0, mine)
    assert (value, bar) == (f(2.0, theirs), 12.0)
    assert mine.a == theirs.a


def test_returned():
    f = written(
        "def f(x):\n    return SimpleNamespace(u=x * 2, w=[x])", SimpleNamespace=SimpleNamespace
    )
    value, pull = rg.vjp(f, 2.0, strict=True)
    assert value == SimpleNamespace(u=4.0, w=[2.0])
    assert pull(SimpleNamespace(u=1.0, w=[3.0])) == (5.0,)
