"""Flags that a caller gives, asked in a ``try`` whose handler reads what the body had bound: the other side is not looked at."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg

from ..written import written

INNER = """
def g(x):
    if x > 2.0:
        raise ValueError("far")
    return x * x
def inner(x, flag=False, other=None, kind="a"):
    if {bound}:
        z = [x * 2.0] * 2
    try:
        low = x * 0.5
        if {asked}:
            y = z[0] * low + g(low)
        elif not flag and kind == "b":
            y = g(x) * 2.0
        else:
            y = g(x)
    except{caught}:
        y = low * 3.0
    return y
"""
ASKED = {
    "a flag": ("flag", "flag"),
    "not": ("not flag", "not flag"),
    "None": ("other is not None", "other is not None"),
    "and": ("flag and other is None", "flag and other is None"),
    "or": ("flag or other", "flag"),
    "a text": ("kind == 'c'", "kind == 'c'"),
}
CALLS = ["inner(x)", "inner(x, flag=False, other=None)", "inner(x, True)", "inner(x, kind='b')", "inner(x, kind='c')",
         "inner(x, other=2.0)", "inner(x) + inner(x, True) * inner(x, False, None, 'b')"]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "caught", ["", " ValueError", " Exception", " (ValueError, ZeroDivisionError)"]
)
@pytest.mark.parametrize("asked", ASKED)
def test_flags(asked: str, caught: str) -> None:
    bound, test = ASKED[asked]
    text = INNER.format(bound=bound, asked=test, caught=caught)
    for call in CALLS:
        f = written(f"{text}\ndef f(x):\n    return {call}\n")
        for x in (1.3, 2.6, 4.7):
            try:
                slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
            except UnboundLocalError:
                continue
            assert rg.grad(f, strict=True)(x) == pytest.approx(slope, rel=1e-6)
            assert rg.jvp(f, (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("flag", [True, False])
def test_given_when_it_runs(flag: bool) -> None:
    text = INNER.format(bound="flag", asked="flag", caught="")
    f: Any = written(f"{text}\ndef f(x, flag):\n    return inner(x, flag)\n")
    derivative = rg.grad(f, strict=True)
    for given in (flag, not flag, flag):
        for x in (1.3, 2.6, 4.7):
            slope = (f(x + 1e-6, given) - f(x - 1e-6, given)) / 2e-6
            assert derivative(x, given) == pytest.approx(slope, rel=1e-6)
