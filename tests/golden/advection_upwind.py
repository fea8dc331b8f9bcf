"""Upwind advection: every entry is overwritten from its left neighbour, right to left."""
# differentiate: carried wrt q, speed

import numpy as np


def carried(q, speed, dt, dx, steps):
    q = np.copy(q)
    courant = speed * dt / dx
    for _ in range(steps):
        for i in range(len(q) - 1, 0, -1):
            q[i] = q[i] - courant * (q[i] - q[i - 1])
        q[0] = 0.0
    return np.sum(q * np.arange(len(q)))


def arguments():
    return np.exp(-((np.arange(7.0) - 2) ** 2)), 0.7, 0.1, 0.2, 4


# output
"""Derivative of `carried` in advection_upwind.py: reverse mode, with respect to q and
speed.

For arguments q: f8[q_0], speed: float, dt: float, dx: float, steps: int.

Written by retrograd 0.2.0 (source 5ea58af9). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def carried_grad(q, speed, dt, dx, steps):
    # forward
    q = np.copy(q)
    courant = speed * dt / dx
    difference = len(q) - 1
    tape = []
    for _ in range(steps):
        tape_2 = []
        for i in range(difference, 0, -1):
            q_i = q[i]
            difference_2 = q_i - q[i - 1]
            tape_2.append(difference_2)
            q[i] = q_i - courant * difference_2
        tape.append(tape_2)
        q[0] = 0.0
    # backward
    # `return np.sum(q * np.arange(len(q)))`
    q_bar = 1.0 * np.arange(len(q))
    courant_bar = 0.0
    for tape_2 in reversed(tape):
        # `q[0] = 0.0`
        q_bar[0] = 0.0
        for i, difference_2 in zip(
            reversed(range(difference, 0, -1)), reversed(tape_2)
        ):
            # `q[i] = q[i] - courant * (q[i] - q[i - 1])`
            sub_bar = q_bar[i]
            mul_bar = -sub_bar
            sub_bar_2 = rt.mul0(mul_bar, courant)
            courant_bar += rt.mul0(mul_bar, difference_2)
            q_bar[i] = sub_bar + sub_bar_2
            q_bar[i - 1] -= sub_bar_2
    # `courant = speed * dt / dx`
    speed_bar = courant_bar / dx * dt
    return q_bar, float(speed_bar)
