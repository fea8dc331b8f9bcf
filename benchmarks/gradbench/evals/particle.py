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
    directions = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    return np.array([rg.jvp(potential, (x, w), (e, 0.0))[1] for e in directions])


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


def steered(cost, value_and_derivative):
    def made(backend):
        differentiable = rg.differentiate(cost, backend=backend)
        return lambda w: argmin(lambda w: value_and_derivative(differentiable, w), w)

    return Function(made, lambda given: (float(given["w"]),))


def forward(cost, w):
    return rg.jvp(cost, (w,), (1.0,))


def reverse(cost, w):
    return rg.value_and_grad(cost)(w)


FUNCTIONS = {
    "ff": steered(missed_forward, forward),
    "fr": steered(missed_reverse, forward),
    "rf": steered(missed_forward, reverse),
    "rr": steered(missed_reverse, reverse),
}
