"""``particle``: steer a charge by where another one stands; the force is a gradient, inside what is minimised."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..descent import argmin
from ..function import Function

DT = 0.1


def distance(x, y):
    return np.sqrt(np.sum((x - y) ** 2))


def potential(x, w):
    return 1 / distance(x, np.array([10.0, 10.0 - w])) + 1 / distance(x, np.array([10.0, 0.0]))


def slope_forward(x, w):
    along = [rg.jvp(potential, (x, w), (e, 0.0))[1] for e in np.eye(2)]
    return np.array(along)


def slope_reverse(x, w):
    return rg.grad(potential)(x, w)


def missed(w, slope):
    """Euler steps until the particle is below the axis; the square of where it crossed it."""
    x, v = np.array([0.0, 8.0]), np.array([0.75, 0.0])
    while True:
        acceleration = -slope(x, w)
        moved = x + DT * v
        if moved[1] <= 0:
            crossed = x - x[1] / v[1] * v
            return crossed[0] ** 2
        x, v = moved, v + DT * acceleration


def missed_forward(w):
    return missed(w, slope_forward)


def missed_reverse(w):
    return missed(w, slope_reverse)


def by_forward_mode(cost):
    return lambda backend: lambda w: argmin(cost, lambda w: rg.jvp(cost, (w,), (1.0,))[1], w)


def by_reverse_mode(cost):
    return lambda backend: lambda w: argmin(cost, rg.grad(cost, backend=backend), w)


def arguments(given):
    return (float(given["w"]),)


FUNCTIONS = {
    "ff": Function(by_forward_mode(missed_forward), arguments),
    "fr": Function(by_forward_mode(missed_reverse), arguments),
    "rf": Function(by_reverse_mode(missed_forward), arguments),
    "rr": Function(by_reverse_mode(missed_reverse), arguments),
}
