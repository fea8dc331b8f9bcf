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
"""Derivative of `carried` in advection_upwind.py, line 7: reverse mode, with respect to
q and speed.

For arguments q: f8[q_0], speed: float, dt: float, dx: float, steps: int.

Written by retrograd 0.1.0 (source 5ea58af9). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def carried_grad(q, speed, dt, dx, steps):
    # forward
    q_2 = np.copy(q)           # line 8
    courant = speed * dt / dx  # line 9
    difference = len(q_2) - 1  # line 11
    tape = []
    for _ in range(steps):  # line 10
        tape_2 = []
        for i in range(difference, 0, -1):  # line 11
            q_part = q_2[i]  # line 12
            difference_2 = q_part - q_2[i - 1]
            tape_2.append(difference_2)
            q_2[i] = q_part - courant * difference_2
        tape.append(tape_2)
        q_2[0] = 0.0  # line 13
    # backward
    q_bar = rt.stretch(1.0, q) * np.arange(len(q_2))  # line 14
    courant_bar = 0.0
    for tape_2 in reversed(tape):
        q_bar[0] = 0.0  # line 13
        for i, difference_2 in zip(
            reversed(range(difference, 0, -1)), reversed(tape_2)
        ):
            sub_bar = q_bar[i]  # line 12
            q_bar[i] = 0.0
            mul_bar = -sub_bar
            sub_bar_2 = rt.mul0(mul_bar, courant)
            courant_bar = courant_bar + rt.mul0(mul_bar, difference_2)
            q_bar[i - 1] -= sub_bar_2
            q_bar[i] += sub_bar + sub_bar_2
    speed_bar = courant_bar / dx * dt  # line 9
    speed_bar = float(speed_bar)
    return q_bar, speed_bar
