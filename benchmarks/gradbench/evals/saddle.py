"""``saddle``: the least of the greatest values, by a descent whose cost is itself found by a descent."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..descent import argmax, argmin
from ..function import Function


def height(x, y):
    return np.sum(x**2) - np.sum(y**2)


def gradient_forward(cost, x):
    return np.array([rg.jvp(cost, (x,), (e,))[1] for e in np.eye(2)])


def gradient_reverse(cost, x):
    return rg.grad(cost)(x)


def highest(x, start, gradient):
    """The y with the greatest height above x."""

    def above(y):
        return height(x, y)

    return argmax(above, lambda y: gradient(above, y), start)


def saddle_point(start, outer, inner):
    def greatest(x):
        return height(x, highest(x, start, inner))

    x = argmin(greatest, lambda x: outer(greatest, x), start)
    return np.concatenate([x, highest(x, start, inner)])


def found_by(outer, inner):
    return Function(
        lambda backend: lambda start: saddle_point(start, outer, inner),
        lambda given: (np.array(given["start"]),),
    )


FUNCTIONS = {
    "ff": found_by(gradient_forward, gradient_forward),
    "fr": found_by(gradient_forward, gradient_reverse),
    "rf": found_by(gradient_reverse, gradient_forward),
    "rr": found_by(gradient_reverse, gradient_reverse),
}
