"""``particle``: steer a charge by where another one stands; its force is a gradient inside the cost."""
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
    return np.array([rg.jvp(potential, (x, w), (e, 0.0))[1] for e in np.eye(2)])


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


def steered_forward(cost):
    return lambda backend: lambda w: argmin(lambda w: rg.jvp(cost, (w,), (1.0,)), w)


def steered_reverse(cost):
    return lambda backend: lambda w: argmin(rg.value_and_grad(cost, backend=backend), w)


def arguments(given):
    return (float(given["w"]),)


FUNCTIONS = {
    "ff": Function(steered_forward(missed_forward), arguments),
    "fr": Function(steered_forward(missed_reverse), arguments),
    "rf": Function(steered_reverse(missed_forward), arguments),
    "rr": Function(steered_reverse(missed_reverse), arguments),
}
