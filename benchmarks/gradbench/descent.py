"""Gradient descent with a step that grows and shrinks, as ``particle`` and ``saddle`` prescribe it."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

__all__ = ["argmax", "argmin"]

SMALL = 1e-5
PATIENCE = 10  # steps that succeed before the next is twice as long


def length(v):
    return np.sqrt(np.sum(v * v))


def argmin(value_and_gradient, x):
    value, slope = value_and_gradient(x)
    step, successes = SMALL, 0
    while length(slope) > SMALL:
        if successes == PATIENCE:
            step, successes = 2 * step, 0
            continue
        moved = x - step * slope
        if length(moved - x) <= SMALL:
            break
        moved_value, moved_slope = value_and_gradient(moved)
        if moved_value < value:
            x, value, slope = moved, moved_value, moved_slope
            successes += 1
        else:
            step, successes = step / 2, 0
    return x


def argmax(value_and_gradient, x):
    def negated(x):
        value, slope = value_and_gradient(x)
        return -value, -slope

    return argmin(negated, x)
