"""What is kept of one side of a branch: many values are one tuple, on the other side None."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.differentiate.residuals import residuals
from tests.written import written

HEAD = """
import math
import numpy as np


def wave(u, t):
    if u > t:
        a = np.sin(u) * u
        b = np.exp(0.1 * a) * a
        c = np.tanh(a * b) * b
        d = np.sqrt(1.0 + c * c) * a
        return np.cos(b * d) * c * d
    return u * u

"""
PROGRAMS = {
    "branch": """
def f(x, t):
    y = x * t
    if t > 0:
        a = np.sin(y); b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b; d = np.sqrt(1.0 + c * c) * a
        y = np.cos(b * d) * c * d * x
    return y * y
""",
    "both sides": """
def f(x, t):
    if t > 0:
        a = np.sin(x); b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
        y = np.cos(b * c) * c * a
    else:
        a = np.cos(x) * t; b = np.tanh(a) * a; c = np.sin(a * b) * b
        y = np.exp(-b * c) * c * a
    return y * y
""",
    "a branch in a branch": """
def f(x, t):
    y = x * t
    if t > 0:
        a = np.sin(y) * x; b = np.exp(0.1 * a) * a
        if x > 0.5:
            c = np.tanh(a * b) * b; d = np.sqrt(1.0 + c * c) * a; e = d * c * np.cos(d)
            y = np.sin(d * e) * c
        y = y * a * np.cos(b)
    return y * y
""",
    "twice": """
def f(x, t):
    y = x * t
    if t > 0:
        a = np.sin(y); b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
        y = np.cos(b * c) * c
    z = y * y
    if t > 0:
        z = z * np.cos(z) * np.exp(-z) * x * np.sin(y * z) * y
    return z
""",
    "a loop": """
def f(x, t):
    y = x
    for k in range(5):
        if y * k < t:
            a = np.sin(y) * x; b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
            y = np.cos(b * c) * c + y
        else:
            y = y * 0.9
    return y * y
""",
    "a loop that is left": """
def f(x, t):
    y = x
    for k in range(6):
        if y * k > t:
            a = np.sin(y) * x; b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
            y = np.cos(b * c) * c + y
            if y > 1.5:
                break
        y = y + 0.2 * np.sin(x * y)
    return y * y
""",
    "a while loop": """
def f(x, t):
    y, k = x, 0
    while k < 4 and y < 3.0:
        k += 1
        if y > t:
            a = np.sin(y) * x; b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
            y = np.cos(b * c) * c + y
        else:
            y = y + 0.3 * x
    return y
""",
    "helpers": """
def f(x, t):
    y = wave(x, t)
    return wave(y * x + 0.5, -t) * y
""",
    "a branch that raises": """
def f(x, t):
    y = x
    if t > 0:
        a = np.sin(y); b = np.exp(0.1 * a) * a; c = np.tanh(a * b) * b
        if c > 100.0:
            raise ValueError(c)
        y = np.cos(b * c) * c * a
    return y * x
""",
}
POINTS = (*itertools.product((0.4, 0.9, 1.3), (0.6, -0.8)),)


@pytest.fixture(params=[0, 8], ids=["all as tuples", "many as tuples"])
def few(request: Any, monkeypatch: Any, tmp_path: Any) -> int:
    monkeypatch.setattr(residuals, "FEW", request.param)
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    return int(request.param)


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name: str, few: int) -> None:
    f = written(HEAD + PROGRAMS[name])
    gradient = rg.grad(f, strict=True)
    twice = rg.grad(gradient, strict=True)
    eps = 1e-6
    for x, t in POINTS:
        slope = (f(x + eps, t) - f(x - eps, t)) / (2 * eps)
        assert gradient(x, t) == pytest.approx(slope, rel=1e-6, abs=1e-8)
        _, tangent = rg.jvp(rg.differentiate(strict=True)(f), (x, t), (1.0, 0.0))
        assert tangent == pytest.approx(slope, rel=1e-6, abs=1e-8)
        curve = (gradient(x + eps, t) - gradient(x - eps, t)) / (2 * eps)
        assert twice(x, t) == pytest.approx(curve, rel=1e-5, abs=1e-5)
        assert rg.hvp(f, (x, t), 1.0) == pytest.approx(curve, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", ["branch", "both sides", "twice"])
def test_arrays(name: str, few: int) -> None:
    f = written(HEAD + PROGRAMS[name])
    x = np.array([0.4, 0.9, 1.3])
    for t in (0.6, -0.8):
        pull = rg.vjp(rg.differentiate(strict=True)(f), x, t)[1]
        slope = np.array([(f(v + 1e-6, t) - f(v - 1e-6, t)) / 2e-6 for v in x])
        assert pull(np.ones(3))[0] == pytest.approx(slope, rel=1e-6)


def test_the_text_has_one_tuple() -> None:
    text = rg.differentiate(written(HEAD + PROGRAMS["branch"])).source("grad", 0.4, 0.6)
    assert text.count(" = None") == text.count("kept = None") == 1, text
    assert text.count(" = kept\n") == 1
