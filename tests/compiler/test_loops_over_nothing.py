"""Loops over what a call gives, whose bodies cannot be compiled: where the call gives nothing, they are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation

from ..written import written

X = np.array([0.3, 0.7, 1.1])
HELPERS = """
def plugins():
    return KIND(PLUGINS)

def as_native(x):
    for plugin in plugins():
        if plugin.is_native(x):
            return plugin.convert(x)
    return None

def taken_by(x):
    for plugin in plugins():
        if plugin.is_native(x):
            yield plugin

"""
PROGRAMS = {
    "a loop that returns": "made = as_native(x)\n    return np.sum(x * x) if made is None else np.sum(made)",
    "the first of a generator": "plugin = next(taken_by(x), None)\n    return np.sum(x * x) if plugin is None else np.sum(plugin.convert(x))",
    "all of a generator": "y = x\n    for plugin in taken_by(x):\n        y = plugin.convert(y)\n    return np.sum(y * y)",
    "a comprehension": "found = [p for p in plugins() if p.is_native(x)]\n    return np.sum(x * x) * (1 + len(found))",
}  # fmt: skip


class Plugin:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def is_native(self, x: Any) -> bool:
        self.seen.append(x)
        return False


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("kind", [list, tuple])
def test_nothing_to_go_over(name: str, kind: type) -> None:
    plugins: list[Any] = []
    f = written(
        f"{HELPERS}def f(x):\n    {PROGRAMS[name]}\n", PLUGINS=plugins, KIND=kind, Plugin=Plugin
    )
    slope = rg.differentiate(strict=True)(f).grad
    assert slope(X) == pytest.approx(2 * X)
    assert rg.jvp(f, (X,), (np.ones(3),))[1] == pytest.approx(np.sum(2 * X))
    plugins.append(Plugin())
    with pytest.raises((UnsupportedOperation, rg.RetrogradError)):
        slope(X)  # it is something now, which may keep what it is given


def test_the_first_of_a_generator_that_yields_is_refused_as_before() -> None:
    f = written("def items(x):\n    yield x\n\ndef f(x):\n    return np.sum(next(items(x), 0.0))\n")
    with pytest.raises(rg.RetrogradError, match="next"):
        rg.differentiate(strict=True)(f).grad(X)
