"""The heat equation: explicit steps that add to a slice in place."""
# differentiate: cooled wrt u, k

import numpy as np


def cooled(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def arguments():
    return np.sin(np.linspace(0, 3, 8)), 0.2, 5


# output
"""Derivative of `cooled` in heat_in_place.py: reverse mode, with respect to u and k.

For arguments u: f8[u_0], k: float, steps: int.

Written by retrograd 0.2.0 (source 6297effb). Change the function, not this file.
"""

import numpy as np


def cooled_grad(u, k, steps):
    # forward
    u = u.copy()
    tape = []
    for _ in range(steps):
        total = u[2:] - 2 * u[1:-1] + u[:-2]
        tape.append(total)
        u[1:-1] += k * total
    # backward
    # `return np.sum(u ** 2)`
    u_bar = 2.0 * u
    k_bar = 0.0
    for total in reversed(tape):
        # `u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])`
        mul_bar = u_bar[1:-1]
        add_bar = k * mul_bar
        k_bar += np.sum(mul_bar * total)
        u_bar[:-2] += add_bar
        u_bar[1:-1] += -2.0 * add_bar
        u_bar[2:] += add_bar
    return u_bar, float(k_bar)
