"""Places in a list of the arguments that a container of the module or of a closure tells: as it is now, asked again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..written import written

X = np.array([0.3, 0.7])
PROGRAMS = {
    "gone over": "xs = [x[0], x[1] ** 2]\n    for i in P:\n        xs[i] = xs[i] ** 2\n    return g(*xs)",
    "where there is one": "xs = [x[0], x[1] ** 2]\n    for i in P:\n        if i < len(xs):\n            xs[i] = np.sin(xs[i])\n    return g(*xs)",
    "an entry": "xs = [x[0], x[1] ** 2]\n    xs[P[0]] = x[0] * x[1]\n    return g(*xs)",
    "read": "xs = [x[0], x[1] ** 2]\n    return g(xs[P[0]], xs[0])",
    "of a dict": "d = {0: x[0], 1: x[1] ** 2}\n    d[P[0]] = x[0] * x[1]\n    return g(**{'ab'[k]: v for k, v in d.items()})",
    "a tuple": "xs = (x[0], x[1] ** 2)\n    return g(*[xs[i] for i in P], *xs[len(P):])",
}
TEXT = "def g(a, b, c=2.0):\n    return a**3 * b * c\n\ndef f(x):\n    {}\n"


def slopes(f: Any) -> list[Any]:
    return [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(2)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_they_are_asked_again(name: str) -> None:
    places = [0]
    f = written(TEXT.format(PROGRAMS[name]), P=places)
    gradient = rg.grad(f, strict=True)
    for now in ([0], [1], [0, 1] if name != "a tuple" else [1], [0]):
        places[:] = now
        np.testing.assert_allclose(gradient(X), slopes(f), rtol=1e-6)
        tangent = rg.jvp(f, (X,), (X,), strict=True)[1]
        np.testing.assert_allclose(tangent, X @ slopes(f), rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("change", ["P[0] = 1 - P[0]", "P.reverse()", "P.insert(0, 1)"])
def test_what_changes_them_is_right_or_refused(name: str, change: str) -> None:
    places = [0, 1]
    body = (
        f"P[:] = [0, 1]\n    {change}\n    {PROGRAMS[name]}"
        if name != "a tuple"
        else f"{change}\n    {PROGRAMS[name]}"
    )
    f = written(TEXT.format(body), P=places)
    try:
        found = rg.grad(f, strict=True)(X)
    except (RetrogradError, IndexError, TypeError):
        return
    np.testing.assert_allclose(found, slopes(f), rtol=1e-6)
