"""``saddle``: the least of the greatest values, by a descent whose cost is itself found by a descent."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..descent import argmax, argmin
from ..function import Function


def height(x, y):
    return np.sum(x**2) - np.sum(y**2)


def seen_from(y, x):
    return height(x, y)


def forward(cost, x, fixed):
    """The value and the gradient by x, in a sweep for each entry of x."""
    value, first = rg.jvp(cost, (x, fixed), (np.array([1.0, 0.0]), None))
    _, second = rg.jvp(cost, (x, fixed), (np.array([0.0, 1.0]), None))
    return value, np.array([first, second])


def reverse(cost, x, fixed):
    return rg.value_and_grad(cost, 0)(x, fixed)


def highest(x, start, derived):
    """The y with the greatest height above x."""
    return argmax(lambda y: derived(seen_from, y, x), start)


def saddle_point(outer, inner):
    def greatest(x, start):
        return height(x, highest(x, start, inner))

    def made(backend):
        differentiable = rg.differentiate(greatest, wrt=0, backend=backend)

        def found(start):
            x = argmin(lambda x: outer(differentiable, x, start), start)
            return np.concatenate([x, highest(x, start, inner)])

        return found

    return Function(made, lambda given: (np.array(given["start"]),))


FUNCTIONS = {
    "ff": saddle_point(forward, forward),
    "fr": saddle_point(forward, reverse),
    "rf": saddle_point(reverse, forward),
    "rr": saddle_point(reverse, reverse),
}
