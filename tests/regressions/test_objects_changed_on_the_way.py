"""Objects of the module that a call changes, where the call is not compiled: what is read afterwards is not what was read at first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.written import namespace

MODULE = """
class Settings:
    def __init__(self):
        self.mode, self.k, self.table = "a", 2.0, {"a": 1.0}

    def grow(self):
        names = locals()
        self.k = self.k + 1.0
        self.table["a"] = 7.0

    def deep(self):
        names = locals()
        helper(self)

def helper(one):
    one.k = 9.0

def flip():
    names = locals()
    s.mode, s.k = "b", 5.0

def put(one, name, value):
    names = locals()
    setattr(one, name, value)

s = Settings()

def f(x):
    before = s.k
    {call}
    return {result}
"""
CALLS = ["flip()", "s.grow()", "s.deep()", "put(s, 'k', 5.0)"]
RESULTS = ["np.sum(x) * s.k", "np.sum(x) * before * s.k", "np.sum(x * x) if s.mode == 'a' else np.sum(x)"]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("result", [*RESULTS, "np.sum(x) * s.table['a']"])
def test_what_is_read_after_the_call(call: str, result: str, unchecked: Any) -> None:
    x, names = np.array([0.3, 1.2, -0.7]), []
    for _ in range(2):
        text = MODULE.replace("{call}", call).replace("{result}", result)
        names.append(namespace(text))
    want = names[0]["f"](x)
    try:
        value, slope = rg.value_and_grad(names[1]["f"])(x)
    except RetrogradError:
        return
    assert value == pytest.approx(want)
    names[0]["s"].__init__()
    step = 1e-6 * np.array([1.0, 0.0, 0.0])
    above = names[0]["f"](x + step)
    names[0]["s"].__init__()
    assert slope[0] == pytest.approx((above - names[0]["f"](x - step)) / 2e-6, rel=1e-6)
