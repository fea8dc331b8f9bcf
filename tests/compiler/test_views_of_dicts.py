"""Questions put to a view of a dict that is filled when the program runs: they are put to the dict."""

from __future__ import annotations

import pytest

import retrograd as rg

from ..both_modes import agrees
from ..written import written

FILLED = """
def f(x, n, d=None):
    d = {}
    for i in range(n):
        d[NAMES[i]] = x * (i + 2) ** 2
"""
ASKED = {
    "in keys": "return d['b'] * x if 'b' in d.keys() else x",
    "not in keys": "return x if 'b' not in d.keys() else d['b'] * x",
    "after another": "return d['c'] * x if 'a' in d.keys() and 'c' in d.keys() else x",
    "length of keys": "return x**2 * len(d.keys())",
    "length of values": "return x**2 * len(d.values()) + d['a']",
    "length of items": "return x**2 * len(d.items())",
    "in values": "return x**2 if 3.0 in d.values() else x**3",
    "changed since": "d['z'] = x\n    return x**2 * d['z'] if 'z' in d.keys() else x",
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("n", [1, 3])
def test_a_view_that_is_asked(name: str, n: int) -> None:
    f = written(f"{FILLED}    {ASKED[name]}\n", NAMES=("a", "b", "c"))
    agrees(f, 1.3, n)


def test_the_other_answer_at_a_later_call() -> None:
    f = written(f"{FILLED}    {ASKED['in keys']}\n", NAMES=("a", "b", "c"))
    slope = rg.grad(f, strict=True)
    assert [slope(1.5, n) for n in (1, 3, 1)] == pytest.approx([1.0, 27.0, 1.0])
