"""``getattr(x, name)``, ``hasattr``, ``setattr`` with a name that the module or a closure holds; options None spread from a dict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import namespace

PROGRAM = """
import numpy as np

NAME = "mean"
OPTIONS = {"axis": None, "scale": 2.0}

class Pair:
    def __init__(self, x):
        self.a, self.b = x, x * x

def of_array(x):
    return np.sum(getattr(x, NAME)() ** 3)

def of_module(x):
    return np.sum(getattr(np, NAME)(x) ** 3)

def of_object(x):
    return np.sum(getattr(Pair(x), NAME) * x)

def or_else(x):
    return np.sum(getattr(Pair(x), NAME, x**3) * x)

def asked(x):
    return np.sum(x**3 if hasattr(Pair(x), NAME) else x**2)

def written(x):
    o = Pair(x)
    setattr(o, NAME, x**3)
    return np.sum(o.a * o.b)

def inner(x, axis=0, scale=1.0):
    m = np.mean(x, axis=axis, keepdims=True)
    return scale * np.sqrt(np.sum((x - m) ** 2, axis=axis))

def spread(x):
    return np.sum(inner(x, **OPTIONS) ** 3)

def copied(x):
    options = OPTIONS.copy()
    options["scale"] = 3.0
    return np.sum(inner(x, **options) ** 3)
"""
X, V = np.array([[0.3, 0.8, 0.5], [0.1, 0.7, 1.2]]), np.array([[0.2, -0.8, 1.5], [1.1, 0.4, -0.6]])


def agrees(f: Any) -> None:
    slope = (f(X + 1e-6 * V) - f(X - 1e-6 * V)) / 2e-6
    curve = (f(X + 1e-4 * V) - 2 * f(X) + f(X - 1e-4 * V)) / 1e-8
    assert np.sum(rg.grad(f, strict=True)(X) * V) == pytest.approx(slope, rel=1e-6)
    assert rg.jvp(f, (X,), (V,), strict=True)[1] == pytest.approx(slope, rel=1e-6)
    assert np.sum(rg.hvp(f, (X,), V, strict=True) * V) == pytest.approx(curve, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "names"),
    [
        ("of_array", ["mean", "max", "sum", "mean"]), ("of_module", ["mean", "sum", "max", "mean"]),
        ("of_object", ["a", "b", "a"]), ("or_else", ["mean", "a", "b"]), ("asked", ["mean", "a"]), ("written", ["a", "b", "mean"]),
    ],
)  # fmt: skip
def test_names(function: str, names: list[str]) -> None:
    """The name is read when it is compiled, and guarded: another one later is another derivative."""
    made = namespace(PROGRAM)
    for name in names:
        made["NAME"] = name
        agrees(made[function])


@pytest.mark.parametrize("function", ["spread", "copied"])
def test_options(function: str) -> None:
    made = namespace(PROGRAM)
    for axis in (None, 0, 1, None):
        made["OPTIONS"]["axis"] = axis
        agrees(made[function])


@pytest.mark.parametrize("name", ["copy", "mean", "sum"])
def test_a_name_of_the_closure(name: str) -> None:
    agrees(lambda x: np.sum(getattr(x, name)() ** 3))


def test_none_of_such_a_name() -> None:
    made = namespace(PROGRAM)
    made["NAME"] = "median"  # NumPy has it, arrays do not
    agrees(made["of_module"])
    with pytest.raises(rg.RetrogradError, match="median"):
        rg.grad(made["of_array"], strict=True)(X)
