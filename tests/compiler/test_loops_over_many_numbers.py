"""Loops over many floats of the module that may be left: loops in the text, not one iteration in the other."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from tests.written import written

HEAD = """
import math

FACTORS = [1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, -0.05, -0.1]
FIXED = tuple(FACTORS)
MIXED = [1.0, 0.8, 2, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, -0.05, 1]
WHOLE = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"""
PROGRAMS = {  # and whether the text has a loop
    "break": ("""
    p, r = x, 0.0
    for g in FACTORS:
        p = x * g + r * 0.1
        r += math.sin(p)
        if r > 1.5:
            break
    return p * r
""", True),
    "continue": ("""
    r = x
    for g in FACTORS:
        if g * x < 0.3:
            continue
        r += math.sin(x * g) * r
    return r
""", True),
    "return": ("""
    r = 0.0
    for g in FACTORS:
        r += math.sin(x * g)
        if r > 1.5:
            return r * g
    return r * x
""", True),
    "a search": ("""
    best, at = -1.0, 0.0
    for k, g in enumerate(FACTORS):
        y = math.sin(3.0 * x * g)
        if y > best:
            best, at = y, g
        if k > 3 and y < 0.0:
            break
    return best * at
""", None),
    "whole numbers": ("""
    r = x
    for n in WHOLE:
        if r > 5.0:
            break
        r = r * (1.0 + x ** n)
    return r
""", False),
    "some of them whole": ("""
    r = x
    for g in MIXED:
        if r > 5.0:
            break
        r = r * (1.0 + x * g)
    return r
""", False),
    "a list that is built": ("""
    made = []
    for g in FACTORS:
        if g < 0.0:
            break
        made.append(math.sin(x * g))
    first, second, *others = made
    return first * second + sum(others)
""", None),
    "never left": ("""
    r = 0.0
    for g in FACTORS:
        r = r * x + g
    return r
""", False),
    "in a loop": ("""
    y = x
    for k in range(3):
        for g in FACTORS:
            y = y + 0.1 * math.sin(y * g)
            if y > 1.2 + k:
                break
    return y
""", True),
    "to be caught": ("""
    for g in FACTORS:
        try:
            return math.sqrt(g * x - 0.5) * x
        except ValueError:
            continue
    return x
""", None),
}  # fmt: skip


def made(name: str) -> Any:
    return written(f"{HEAD}\n\ndef f(x):{PROGRAMS[name][0]}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name: str) -> None:
    f = made(name)
    gradient = rg.grad(f, strict=True)
    twice = rg.grad(gradient, strict=True)
    eps = 1e-6
    for x in (0.7, 1.3, 2.9):
        slope = (f(x + eps) - f(x - eps)) / (2 * eps)
        assert gradient(x) == pytest.approx(slope, rel=1e-6, abs=1e-8)
        _, tangent = rg.jvp(rg.differentiate(strict=True)(f), (x,), (1.0,))
        assert tangent == pytest.approx(slope, rel=1e-6, abs=1e-8)
        curve = (gradient(x + eps) - gradient(x - eps)) / (2 * eps)
        assert twice(x) == pytest.approx(curve, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    "name", [name for name, (_, looped) in PROGRAMS.items() if looped is not None]
)
def test_texts(name: str) -> None:
    text = rg.differentiate(made(name)).source("grad", 0.7)
    assert ("len(F" in text or "in F" in text) == PROGRAMS[name][1], text


def test_a_list_that_is_changed_between_two_calls() -> None:
    f = made("break")
    gradient = rg.grad(f, strict=True)
    gradient(0.7)
    f.__globals__["FACTORS"][:3] = [0.9, 1.1, 0.2]
    f.__globals__["FACTORS"].append(0.7)
    eps = 1e-6
    assert gradient(0.7) == pytest.approx((f(0.7 + eps) - f(0.7 - eps)) / (2 * eps), rel=1e-7)
