"""Functions of packages that compute with the variables of the one that calls them: they are told the names in a text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.installed import installed
from tests.written import written

PACKAGE = """
import inspect
import sys

def evaluate(text, depth=1):
    return eval(text, {}, sys._getframe(depth).f_locals)

def by_another(text):
    return evaluate(text, 2)

def variables():
    return inspect.currentframe().f_back.f_back.f_locals

def of_variables(text):
    return eval(text, {}, variables())

class Scope:
    def __init__(self):
        self.names = sys._getframe(2).f_locals

def in_scope(text):
    return eval(text, {}, Scope().names)

class Table:
    def __init__(self, factor):
        self.factor = factor

    def evaluate(self, text):
        return self.factor * eval(text, {}, sys._getframe(1).f_locals)

def mentioned(value, kind="linear"):
    names = [k for k, v in sys._getframe(1).f_locals.items() if v is value]
    return value * 2 if kind == "linear" else value
"""
CALLS = [
    "p.evaluate('y**2')", "p.by_another('y * 3')", "p.of_variables('y * y')", "p.in_scope('2 * y')", "p.Table(2.0).evaluate('y**2')",
    "p.evaluate('*'.join(['y', 'y']))",
]  # fmt: skip
TAKEN = ["p.mentioned(3.0)", "p.mentioned(3.0, 'linear')", "p.evaluate('1.0 + 2')"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("strict", [True, False])
def test_what_is_told_a_variable_is_refused(call: str, strict: bool, package: Any) -> None:
    f = written(f"def f(x):\n    y = x * 2\n    return np.sum({call}) + y.sum()\n", p=package)
    f(np.ones(2))
    for differentiated in (
        rg.grad(f, strict=strict),
        lambda x: rg.jvp(f, (x,), (x,), strict=strict),
    ):
        with pytest.raises(RetrogradError):
            differentiated(np.array([1.0, 2.0]))


@pytest.mark.parametrize("call", TAKEN)
def test_what_is_told_none_stays_a_call(call: str, package: Any) -> None:
    f = written(f"def f(x):\n    y = x * 2\n    return {call} * y.sum() + x[0] ** 2\n", p=package)
    x = np.array([1.0, 2.0])
    expected = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(x), expected, rtol=1e-6)
