"""Methods and operators of sets: those made in the function, constant ones, and two names of one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
NAMES = ["a", "b"]
MADE = {
    "display": "{1, 2, 3}",
    "letters": "set('abc')",
    "of an argument": "set(names)",
    "frozen": "frozenset(('a', 2))",
    "of the module": "OUTSIDE",
    "frozen, of the module": "frozenset({'a', 3})",
    "comprehension": "{k for k in range(3)}",
    "empty": "set()",
    "numbers": "{1.5, 2}",
}
ASKED = """s.issubset(t); s.issuperset(t); s.isdisjoint(t); len(s.union(t)); len(s | t); len(s & t); len(s - t); len(s ^ t); s <= t
s < t; s >= t; s > t; s == t; s != t; len(s.intersection(t, [1, 'a'])); len(s.difference(t)); len(s.symmetric_difference(t))
isinstance(s | t, frozenset); isinstance(s.copy(), set); type(s & t) is set; 2 in (s | t); s.issubset([1, 2, 3, 'a', 'b', 'c'])
s.issuperset(['a']); any(s); all(s); len(sorted(s & {1, 2, 1.5})); max(s & {1, 2} | {0})"""
CHANGED = """s |= t; s &= t; s -= t; s ^= t; s.update(t); s.intersection_update(t); s.difference_update(t); s.symmetric_difference_update(t)
s.update(t, 'q'); s.update(s); s -= s; s = s | t; s = s.copy(); s.add('z'); s.discard('a')"""


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", ";").split(";")]


PAIRS = list(itertools.product(MADE, MADE))


@pytest.mark.sampled(9)
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("asked", listed(ASKED))
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_asked(first: str, second: str, asked: str) -> None:
    agrees(
        written(
            f"def f(x, names):\n    s = {MADE[first]}\n    t = {MADE[second]}\n"
            f"    return x[0] ** 2 * (3.0 + float({asked})) + x[1] * len(s) * len(t)\n",
            OUTSIDE={"a", 2, "c"},
        ),
        X,
        NAMES,
    )


@pytest.mark.sampled(9)
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("changed", listed(CHANGED))
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_changed_under_two_names(first: str, second: str, changed: str) -> None:
    if "module" in first or ("frozen" in first and ("." in changed or changed == "s -= s")):
        return
    agrees(
        written(
            f"def f(x, names):\n    s = {MADE[first]}\n    t = {MADE[second]}\n    u = s\n    {changed}\n"
            "    return x[0] ** 2 * (3.0 + len(s)) + x[1] * len(u) * len(t) * (2 + isinstance(u, frozenset))\n",
            OUTSIDE={"a", 2, "c"},
        ),
        X,
        NAMES,
    )


REFUSED = {
    "a list beside a set": "len({1, 2} | [3])",
    "gone over": "float([len(k) for k in {'a', 'bb'} | {'ccc'}][0])",
    "numbers that collide": "list({0, 8, 16})[0]",
    "computed beside a frozen one": "len(frozenset('ab') | {int(x[0])})",
    "some item": "float(({1, 2} | {3}).pop())",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_refused(asked: str) -> None:
    f = written(f"def f(x):\n    return x[0] * ({REFUSED[asked]})\n")
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X)


def test_a_set_that_grows_in_a_loop() -> None:
    agrees(
        written(
            "def f(x):\n    s, total = {'a'}, 0.0\n    for k in ['a', 'b', 'c', 'b']:\n"
            "        if k not in s:\n            s |= {k}\n            total = total + x[len(s)]\n    return total * total\n"
        ),
        X,
        second=True,
    )
