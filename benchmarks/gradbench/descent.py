"""Gradient descent with a step that grows and shrinks, as ``particle`` and ``saddle`` prescribe it."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

__all__ = ["argmax", "argmin"]

SMALL = 1e-5
PATIENCE = 10  # steps that succeed before the next is twice as long


def length(v):
    return np.sqrt(np.sum(v * v))


def argmin(cost, gradient, x):
    value, slope = cost(x), gradient(x)
    step, successes = SMALL, 0
    while length(slope) > SMALL:
        if successes == PATIENCE:
            step, successes = 2 * step, 0
            continue
        moved = x - step * slope
        if length(moved - x) <= SMALL:
            break
        reached = cost(moved)
        if reached < value:
            x, value, slope = moved, reached, gradient(moved)
            successes += 1
        else:
            step, successes = step / 2, 0
    return x


def argmax(cost, gradient, x):
    return argmin(lambda y: -cost(y), lambda y: -gradient(y), x)
