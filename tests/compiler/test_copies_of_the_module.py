"""Copies of lists and dicts of the module are the function's own; what is in them is still the module's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.checks import check_function
from tests.written import namespace

MODULE = """
from copy import copy, deepcopy

W = np.array([1.0, 2.0, 3.0])
D = {"a": 1.0, "w": W, "l": [1.0, 2.0], "f": np.sin, "n": {"k": 2.0}, "b": 3.0}
L = [1.0, 2.0, 3.0]
N = [[1.0, 2.0], [3.0, 4.0]]
E = {}


class C:
    D = {"a": 1.0, "n": ""}

    def __init__(self, **given):
        self.D = C.D.copy()
        self(**given)

    def __call__(self, **given):
        if "z" in given:
            given["a"] = given["z"] * 2.0
            del given["z"]
        self.D.update(given)
        self.y = self.D["a"]
"""

RIGHT = """
d = D.copy(); d["a"] = x; d.update({"c": x * x}); return d["a"] * d["c"] * d["b"] * D["a"]
d = dict(D, a=x); return d["f"](d["a"]) * D["a"]
d = dict(D); d["a"] = d["a"] * x; return d["a"] * d["b"]
d = D | {"a": x}; return d["a"] * d["b"]
d = {"a": x} | D; return d["a"] * d["b"] * x
d = copy(D); d["a"] = x * x; return d["a"] * D["a"]
d = deepcopy(D); d["l"][0] = x; d["w"][1] = x; d["n"]["k"] *= x; return d["l"][0] * np.sum(d["w"] * W) * d["n"]["k"]
d = D.copy(); d["w"] = d["w"] * x; return np.sum(d["w"] * W)
d = C.D.copy(); d["a"] = x; return d["a"] * C.D["a"] * x
e = E.copy(); e["q"] = x; e["q"] *= x; return e["q"]
t = L.copy(); t[1] = x; t.append(x * x); return t[0] * t[1] * t[-1] * len(L)
t = list(L); t[0] += x; t[1:] = [x]; return sum(t) * L[1]
t = [*L, x]; t.sort(); return t[1] * t[2] * x
t = L[:]; t[2] = x; return sum(t) * L[2] * x
t = L + [x]; t[0] = x * x; return sum(t) * L[0] * x
t = [x] + L; t[1] = x * x; return sum(t) * x
t = L * 2; t[0] = x; return sum(t) * x
t = tuple(L); return np.sum(np.array(t) * x)
m = [row.copy() for row in N]; m[0][0] = x; return m[0][0] * N[0][0] * m[1][1]
m = deepcopy(N); m[0][1] = x; return m[0][1] * N[0][1] * m[1][0]
m = N[:]; m[0] = [x, x]; return m[0][0] * N[0][0] * m[1][1]
t = L.copy(); a = np.array(t); t[0] = 7.0; return np.sum(a * x) * t[0]
t = L.copy(); a, b, *r = t; return a * b * r[0] * x
c = C(); return c.y * x
c = C(z=x); return c.y * c.D["a"]
"""

REFUSED = """
d = D.copy(); d["w"][0] = x; return d["w"][0] * x
d = {**D}; d["w"][0] = x; return d["w"][0] * x
D["w"][0] = x; return D["w"][0] * x
d = D.copy(); d["l"][0] = x; return d["l"][0] * x
m = N.copy(); m[0][0] = x; return m[0][0] * x
m = list(N); m[1][0] = x; return m[1][0] * x
v = [w for w in D.values()][1]; v[0] = x; return v[0] * x
v = D.get("w"); v[:2] = x; return v[0] * x
v = D["w"][1:]; v *= x; return v[0] * x
d = D.copy(); D["a"] = x; return d["a"] * x
D["a"] = 3.0; d = D.copy(); return d["a"] * x
"""


def program(body: str) -> Any:
    lines = "".join(f"    {part}\n" for part in body.split("; "))
    return namespace(f"{MODULE}\n\ndef f(x):\n{lines}")["f"]


@pytest.mark.parametrize("body", RIGHT.strip().splitlines())
def test_right(body: str) -> None:
    f = program(body)
    before = repr([f.__globals__[name] for name in "WDLNE"])
    found = check_function(f, (1.7,))
    assert found.verdict == "ok", f"{found.reason}\n{found.detail}"
    assert repr([f.__globals__[name] for name in "WDLNE"]) == before


@pytest.mark.parametrize("body", REFUSED.strip().splitlines())
def test_refused(body: str) -> None:
    f = program(body)
    before = repr([f.__globals__[name] for name in "WDLN"])
    with pytest.raises(rg.RetrogradError):
        rg.grad(f, strict=True)(1.7)
    assert repr([f.__globals__[name] for name in "WDLN"]) == before


def test_what_changes_between_calls_is_read_anew() -> None:
    text = """
def f(x):
    t, d = L.copy(), D.copy()
    t.append(x)
    d["a"] *= x
    return sum(t) * d["a"] + sum(v for k, v in d.items() if k in ("b", "c"))
"""
    f = namespace(MODULE + text)["f"]
    table, numbers = f.__globals__["D"], f.__globals__["L"]
    g = rg.value_and_grad(f)
    for change in (lambda: None, lambda: table.update(a=5.0), lambda: table.update(c=7.0), lambda: table.pop("b"),
                   lambda: numbers.append(10.0), lambda: numbers.__setitem__(0, 0.0), numbers.clear):  # fmt: skip
        change()
        value, slope = g(2.0)
        h = 1e-6
        assert np.isclose(value, f(2.0))
        assert np.isclose(slope, (f(2.0 + h) - f(2.0 - h)) / (2 * h))


def test_a_large_table_stays_a_call() -> None:
    f = namespace("T = [0.5] * 1000\n\n\ndef f(x):\n    return np.sum(np.array(list(T)) * x)\n")[
        "f"
    ]
    assert rg.grad(f)(2.0) == 500.0


GONE_OVER = """
for i, v in enumerate(L): s += v * x * i
for i, v in enumerate(L, 2): s += v * x * i
for a, b in zip(L, P): s += a * x**b
for a, b in zip(L, P, strict=True): s += a * x * b
for a, b in zip(L, y): s += a * b
for v in reversed(L): s = s * x + v
for i, (a, b) in enumerate(zip(P, L)): s += i * a * b * x
for i, k in enumerate(K): s += K[k] * x * i
for g, v in zip(F, L): s += g(v * x)
for (k, v), w in zip(K.items(), L): s += v * w * x
for a, b in zip(L, range(2)): s += a * x * b
for i, v in enumerate(L): s, done = (s + v * x, False) if v < x else (s, True)
s = sum(a * b * x for a, b in zip(L, P))
s = max(v * x for v in reversed(P))
"""


@pytest.mark.parametrize("loop", GONE_OVER.strip().splitlines())
def test_what_is_gone_over(loop: str) -> None:
    tables = 'P = (2.0, 3.0, 4.0)\nF = [np.sin, np.cos]\nK = {"a": 1.0, "b": 2.0}\n'
    text = f"{MODULE}{tables}\n\ndef f(x):\n    s, y = 0.0, np.array([x, x * x, 1.0])\n    {loop}\n    return s\n"
    found = check_function(namespace(text)["f"], (1.7,))
    assert found.verdict == "ok", f"{found.reason}\n{found.detail}"


def test_a_table_that_changes_is_gone_over_anew() -> None:
    text = "L = [1.0, 2.0]\n\n\ndef f(x):\n    return sum(v * x**i for i, v in enumerate(L, 1))\n"
    f = namespace(text)["f"]
    g = rg.grad(f)
    assert g(2.0) == 9.0
    f.__globals__["L"].append(3.0)
    assert g(2.0) == 45.0
    f.__globals__["L"][0] = 0.0
    assert g(2.0) == 44.0
