"""A function is lowered once for one kind of arguments, and refused once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.program import Program
from tests.written import namespace

SCALE = 2.0


def plain(x):
    y = x * x
    for _ in range(3):
        y = y * 0.5 + 1.0
    return y


def scaled(x):
    return plain(x) * SCALE if SCALE else x


def refused(x):
    y = plain(x)
    return eval("1.0") * y


def number_refused(x, n):
    return plain(x) * (refused(n) + refused(n) + refused(n))


def decided(x, n):
    return scaled(x) * plain(x) * (refused(n) + refused(n))


@pytest.fixture
def lowered(monkeypatch):
    counts: Counter[str] = Counter()
    known = Program.lower_callee

    def counting(self, key, fn, *rest):
        counts[fn.__name__, key[3:]] += 1
        return known(self, key, fn, *rest)

    monkeypatch.setattr(Program, "lower_callee", counting)
    return counts


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fn", [number_refused, decided])
def test_each_is_lowered_once(fn, lowered):
    value = rg.grad(fn)(1.5, 3.0)
    h = 1e-6
    expected = (fn(1.5 + h, 3.0) - fn(1.5 - h, 3.0)) / (2 * h)
    np.testing.assert_allclose(value, expected, rtol=1e-6)
    plain_kinds = [kinds for (name, kinds) in lowered if name == "plain"]
    assert plain_kinds
    # Whether constants decide, which stands second, makes no other function of it.
    assert len({(k[0], *k[2:]) for k in plain_kinds}) == len(plain_kinds)
    assert max(lowered.values()) == 1


READ_TWICE = """
import numpy as np
K = 2.0
FLAG = True


def inner(w):
    t = 0.0
    for v in w:
        t = t + v * K if FLAG else t + v ** 2
    return t


def refused(w):
    return inner(w) + eval("1.0")


def f(x, w):
    z = refused(w)
    return np.sum(x * inner(w)) + 0.0 * z
"""


@pytest.mark.parametrize("change", ["K = 5.0", "FLAG = False"])
def test_what_was_read_within_a_call_that_stays_one_is_guarded_by_the_next(change: str) -> None:
    """``refused`` stays a call, and what was read for it is forgotten; ``inner`` is lowered already when it is called again."""
    scope = namespace(READ_TWICE)
    x, w = np.array([1.5, 2.0]), np.array([1.0, 2.0])
    gradient = rg.grad(scope["f"])
    for statement in ("pass", change):
        exec(statement, scope)
        assert gradient(x, w) == pytest.approx(np.full(2, scope["inner"](w)))
