"""Texts of an argument or a default, gone over together with an array: ``dict(zip(names, x))``."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.both_modes import agrees
from tests.written import written

GIVEN = {
    "a default": ("x, names=('p', 'q')", ()),
    "a list": ("x, names=['p', 'q']", ()),
    "an argument": ("x, names", (("q", "p", "r"),)),
    "in a container": ("x, given={'names': ('p', 'q')}", ()),
}
READ = {
    "a dict": "p = dict(zip(names, x))\n    return p['p'] * p['q']",
    "a loop": "total = 0.0\n    for name, v in zip(names, x):\n        total += v ** 2 * (2.0 if name == 'p' else 3.0)\n    return total",
    "a comprehension": "p = {name: v * v for name, v in zip(names, x)}\n    return p['p'] + 2.0 * p['q']",
    "a list of pairs": "return sum(v * len(name + name) for name, v in list(zip(names, x)))",
    "numbered": "return sum(v * k * (name == 'p') for k, (name, v) in enumerate(zip(names, x), 1))",
}
X = np.array([0.7, 1.3, -0.6])


@pytest.mark.parametrize(("given", "read"), list(itertools.product(GIVEN, READ)))
def test_names_and_values(given: str, read: str) -> None:
    parameters, more = GIVEN[given]
    names = "names = given['names']\n    " if "given" in parameters else ""
    agrees(written(f"def f({parameters}):\n    {names}{READ[read]}\n"), X, *more)
