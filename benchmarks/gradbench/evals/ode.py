"""``ode``: y_0' = x_0, y_i' = x_i y_(i-1), by the classical Runge-Kutta method, and its last component."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function

DURATION = 2.0


def field(x, y):
    return np.concatenate([x[:1], x[1:] * y[:-1]])


def solution(x, steps):
    h = DURATION / steps
    y = np.zeros(len(x))
    for _ in range(steps):
        k1 = field(x, y)
        k2 = field(x, y + h / 2 * k1)
        k3 = field(x, y + h / 2 * k2)
        k4 = field(x, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def last(x, steps):
    return solution(x, steps)[-1]


def arguments(given):
    return np.array(given["x"]), given["s"]


FUNCTIONS = {
    "primal": Function(lambda backend: solution, arguments),
    "gradient": Function(lambda backend: rg.grad(last, backend=backend), arguments),
}
