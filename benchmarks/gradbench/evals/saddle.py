"""``saddle``: the least of the greatest values, by a descent whose cost is itself found by a descent."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..descent import argmax, argmin
from ..function import Function


def height(x, y):
    return np.sum(x**2) - np.sum(y**2)


def forward(cost, x):
    """The value and the gradient, in as many sweeps as there are entries."""
    (value, first), (_, second) = [rg.jvp(cost, (x,), (e,)) for e in np.eye(2)]
    return value, np.array([first, second])


def reverse(cost, x):
    return rg.value_and_grad(cost)(x)


def highest(x, start, derived):
    """The y with the greatest height above x."""
    return argmax(lambda y: derived(lambda y: height(x, y), y), start)


def saddle_point(start, outer, inner):
    def greatest(x):
        return height(x, highest(x, start, inner))

    x = argmin(lambda x: outer(greatest, x), start)
    return np.concatenate([x, highest(x, start, inner)])


def found_by(outer, inner):
    return Function(
        lambda backend: lambda start: saddle_point(start, outer, inner),
        lambda given: (np.array(given["start"]),),
    )


FUNCTIONS = {
    "ff": found_by(forward, forward),
    "fr": found_by(forward, reverse),
    "rf": found_by(reverse, forward),
    "rr": found_by(reverse, reverse),
}
