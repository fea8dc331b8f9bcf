"""Loops over sets: of numbers, in Python's own order; of other things, where the order cannot matter; or refused."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6])
TEXTS = '{"a", "b", "c"}'

# -- numbers: the order matters to Horner's rule ------------------------------------------------

NUMBERS = {
    "a display": "{3, 10, 12}",
    "floats": "{0.5, 1.5, 2.0}",
    "of a list, in its order": "set([8, 0, 16])",
    "some removed": "set(range(3, 20)) - {4, 5}",
    "joined": "{10, 3} | {21, 40}",
    "two, met": "set([10, 3, 19]) & set([3, 19, 7])",
    "computed": "{k * k % 37 for k in range(12)}",
    "frozen": "frozenset([9, 2, 4, 30])",
    "of the module": "OUTSIDE",
    "joined with the module's": "OUTSIDE | {1, 2}",
    "a method": "set(range(30)).difference([3, 7], {9})",
    "keys": "set({30: 1, 3: 2, 12: 4})",
    "tuples": "[sum(k) for k in {(1, 2), (0, 5)}]",
}


@pytest.mark.parametrize("made", NUMBERS)
def test_numbers_in_pythons_order(made: str) -> None:
    f = written(
        f"def f(x):\n    t = x[0]\n    for p in {NUMBERS[made]}:\n"
        "        t = t * 0.3 * x[1] + p * 0.1 * x[2]\n    return t\n",
        OUTSIDE={40, 3, 17},
    )
    agrees(f, X, second=True)


CHANGED = {
    "one was in the way": "s = set()\n    s.add(5)\n    s.add(9)\n    s.add(1)\n    s.discard(9)",
    "in place": "s = {1, 30, 12}\n    s.update([100, 7])\n    s |= {64}\n    s -= {1}",
    "a copy": "s = {1.5, 2, 40}.copy()\n    s.add(3)",
    "two names": "s = {1, 2}\n    t = s\n    t.add(40)",
    "with itself": "s = {1, 33}\n    s ^= {33, 9}",
}


@pytest.mark.parametrize("changed", CHANGED)
def test_sets_that_were_changed(changed: str) -> None:
    f = written(
        f"def f(x):\n    {CHANGED[changed]}\n    t = x[0]\n    for p in s:\n"
        "        t = t * 0.3 * x[1] + p * 0.1 * x[2]\n    return t\n"
    )
    agrees(f, X)


def test_any_history() -> None:
    """Python's order, or a refusal: sets that grow and shrink at random."""
    draw, compiled = random.Random(3), 0
    for _ in range(12):
        steps = [
            f"s.{'add' if draw.random() < 0.7 else 'discard'}({draw.randrange(40)})"
            for _ in range(8)
        ]
        f = written("def f(x):\n    s = set()\n    " + "\n    ".join(steps) + "\n"
                    "    t = x[0]\n    for p in s:\n        t = t * 0.3 + p * x[1]\n    return t\n")  # fmt: skip
        agrees(f, X)
        compiled += 1
    assert compiled == 12


# -- of anything, where the order cannot matter ---------------------------------------------------

UNORDERED = {
    "cut": "for k in set(d) - {'a', 'b'}:\n        d.pop(k)\n    t = d['a'] * d['b'] * len(d)",
    "del": "for k in d.keys() - {'a', 'b'}:\n        del d[k]\n    t = d['a'] * d['b'] * len(d)",
    "a sum": f"t = 0.0\n    for k in {TEXTS}:\n        t += w[k] * d[k] ** 2",
    "a product": f"t = x[0]\n    for k in {TEXTS}:\n        t = t * d[k] / w[k]",
    "at its own key": "for k in set(d):\n        d[k] = d[k] * 2 if k != 'a' else d[k] ** 2\n"
    "    t = d['a'] * d['b'] + d['c']",
    "under conditions": "t = 0.0\n    for k in set(d):\n        if k == 'b':\n            continue\n"
    "        if d[k] > 0.0:\n            t += d[k] ** 2",
    "names of its own": f"t = 0.0\n    for k in {TEXTS}:\n        y = w[k] * x\n        t += np.sum(y * y)",
    "a loop in it": f"t = 0.0\n    for k in {TEXTS}:\n        for j in range(3):\n            t += w[k] * x[j] ** 2",
    "in a loop": f"t = 0.0\n    for j in range(9):\n        for k in {TEXTS}:\n            t += w[k] * x[0] ** j",
    "a set": "s = {'a', 'z'}\n    for k in set(d):\n        s.add(k)\n    t = x[0] ** 2 * len(s)",
    "what is missing": "for k in w.keys() - d.keys():\n        d[k] = w[k] * x[1]\n    t = d['e'] ** 2",
    "an array of its own": f"v = np.zeros(3)\n    for k in {TEXTS}:\n        v += w[k] * x ** 2\n    t = v @ x",
    "listed": "for k in list(set(d)):\n        d[k] = d[k] ** 2\n    t = sum(d.values())",
    "summed": f"t = sum(w[k] * d[k] ** 2 for k in {TEXTS})",
    "the largest": f"t = max(w[k] * d[k] ** 2 for k in {TEXTS})",
    "sorted": f"t = sorted(w[k] * d[k] ** 2 for k in {TEXTS})[1]",
}


@pytest.mark.parametrize("loop", UNORDERED)
def test_any_order(loop: str) -> None:
    f = written(
        "import numpy as np\n\ndef f(x):\n    d = dict(a=x[0], b=x[1] ** 2, c=np.sin(x[2]))\n"
        "    w = dict(a=2.0, b=-1.0, c=3.0, e=0.5)\n"
        f"    {UNORDERED[loop]}\n    return t\n"
    )
    agrees(f, X)


ORDERED = {
    "Horner": f"t = 0.0\n    for k in {TEXTS}:\n        t = t * x[0] + w[k]",
    "the last": f"for k in {TEXTS}:\n        t = w[k] * x[0]",
    "the key": f"for k in {TEXTS}:\n        pass\n    t = w[k] * x[0]",
    "a list": f"n = []\n    for k in {TEXTS}:\n        n.append(w[k] * x[0])\n    t = n[0]",
    "a dict": f"e = {{}}\n    for k in {TEXTS}:\n        e[k] = w[k] * x[0]\n    t = list(e.values())[0]",
    "moved": f"for k in {TEXTS}:\n        d[k] = d.pop(k)\n    t = list(d.values())[0]",
    "left early": f"t = 0.0\n    for k in {TEXTS}:\n        t += w[k] * x[0]\n        if t > 1.0:\n            break",
    "another key": f"for k in {TEXTS}:\n        d[k] = d[k] * d['a']\n    t = d['b']",
    "by another name": f"e = d\n    for k in {TEXTS}:\n        d[k] = d[k] * e['a']\n    t = d['b']",
    "how many are left": f"t = 0.0\n    for k in {TEXTS}:\n        t += d.pop(k) * len(d)",
    "a closure": f"g = lambda: sum(d.values())\n    t = 0.0\n    for k in {TEXTS}:\n        t += g()\n        d.pop(k)",
    "an array": f"v = np.zeros(3)\n    for k in {TEXTS}:\n        v[0] = v[0] * x[0] + w[k]\n    t = v[0]",
    "twice": f"t = x[0]\n    for k in {TEXTS}:\n        t = t + w[k] * t",
    "subtracted from": f"t = x[0]\n    for k in {TEXTS}:\n        t = w[k] * x[1] - t",
    "sums and products": f"t = x[0]\n    for k in {TEXTS}:\n        t = (t + w[k]) * x[1]",
    "a view": f"v = np.zeros(3)\n    u = v\n    t = 0.0\n    for k in {TEXTS}:\n        v += w[k] * x\n        t += u[0]",
    "a text": f"s = ''\n    for k in {TEXTS}:\n        s += k\n    t = w[s[0]] * x[0]",
    "drawn": f"r = np.random.default_rng(1)\n    t = 0.0\n    for k in {TEXTS}:\n        t += w[k] * x[0] * r.normal()",
    "counted": f"t = 0.0\n    n = 0\n    for k in {TEXTS}:\n        n += 1\n        t += w[k] * n * x[0]",
    "listed": f"t = [w[k] * x[0] for k in {TEXTS}][0]",
    "numbered": f"t = sum(w[k] * x[i] for i, k in enumerate({TEXTS}))",
    "named in a sum": f"t = sum((y := w[k] * x[0]) for k in {TEXTS}) + y",
    "lists, joined": f"t = sum(([w[k] * x[0]] for k in {TEXTS}), [])[0]",
    "drawn in a sum": f"r = np.random.default_rng(1)\n    t = sum(w[k] * x[0] * r.normal() for k in {TEXTS})",
}


@pytest.mark.parametrize("loop", ORDERED)
def test_refused_where_it_matters(loop: str) -> None:
    f = written(
        "import numpy as np\n\ndef f(x):\n    d = dict(a=x[0], b=x[1], c=x[2])\n"
        f"    w = dict(a=2.0, b=-1.0, c=3.0)\n    {ORDERED[loop]}\n    return t\n"
    )
    f(X)
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X)


# -- loops that are written out for the sake of a set ------------------------------------------


def other_axes(x: Any) -> Any:
    """As in scikit-image's filters for edges."""
    a = np.outer(x, np.sin(x))
    total = 0.0
    for edge in range(a.ndim):
        b = a
        for axis in list(set(range(a.ndim)) - {edge}):
            b = (b + np.roll(b, 1, axis=axis)) * (axis + 1)
        total = total + np.sum(b**2) * (edge + 1)
    return total


def two_fewer(x: Any) -> Any:
    a = np.ones((3, 2, 2)) * x[:, None, None]
    total = 0.0
    for d in range(a.ndim):
        for e in range(d):
            for axis in set(range(a.ndim)) - {d, e}:
                total = total * 0.1 + np.sum(a.sum(axis=axis) ** 2)
    return total


@pytest.mark.parametrize("f", [other_axes, two_fewer])
def test_an_axis_that_a_loop_counts(f: Any) -> None:
    agrees(f, X)


# -- views of dicts -----------------------------------------------------------------------------

VIEWS = {
    "equal": "a.keys() == b.keys()",
    "unequal": "a.keys() != b.keys()",
    "equal to a set": "a.keys() == {'v', 'u'}",
    "a subset": "a.keys() <= {'u', 'v', 'w'}",
    "a proper subset of it": "{'v'} < a.keys()",
    "left over": "not a.keys() - b.keys()",
    "met": "len(a.keys() & ['u', 'z']) == 1",
    "joined": "len(a.keys() | {'z'}) == 3",
    "either": "len({'z', 'u'} ^ a.keys()) == 2",
}


@pytest.mark.parametrize("asked", VIEWS)
def test_views_are_sets(asked: str) -> None:
    f = written(
        "def f(x):\n    a, b = dict(u=x[0], v=x[1]), dict(v=x[2], u=x[0])\n"
        f"    return x[0] ** 2 if {VIEWS[asked]} else x[1]\n"
    )
    agrees(f, X)


@pytest.mark.parametrize("asked", ["a.keys() == ['u', 'v']", "a.values() == a.values()"])
def test_views_that_are_no_sets(asked: str) -> None:
    f = written(
        f"def f(x):\n    a = dict(u=1.0, v=2.0)\n    return x[0] if {asked} else x[1] ** 2\n"
    )
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X)


# -- other processes -----------------------------------------------------------------------------

PROGRAM = f"""
import numpy as np
import retrograd as rg


def f(x):
    d, t = dict(a=x[0], b=x[1], c=x[2]), 0.0
    for k in set(d) - {{"c"}}:
        d[k] = d[k] ** 2
    for k in {TEXTS}:
        t += d[k] * len(d)
    return t


x = np.array([0.5, 1.5, 2.5])
assert np.allclose(rg.grad(f, strict=True)(x), [3.0, 9.0, 3.0])
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_has_another_order(seed: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    env = {"PYTHONPATH": str(Path(rg.__file__).parents[1]), "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, str(file)], check=True, env=env, timeout=120)
