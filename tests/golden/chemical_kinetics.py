"""Mass action kinetics: every reaction adds to the rates of its species."""
# differentiate: yield_of wrt k, c

import numpy as np

REACTIONS = (((0, 1), (2,)), ((2,), (0, 1)), ((2, 1), (3,)))


def yield_of(k, c, dt, steps):
    c = c.copy()
    for _ in range(steps):
        rate = np.zeros(len(c))
        for n, (reactants, products) in enumerate(REACTIONS):
            speed = k[n]
            for s in reactants:
                speed = speed * c[s]
            for s in reactants:
                rate[s] -= speed
            for s in products:
                rate[s] += speed
        c += dt * rate
    return c[3]


def arguments():
    return np.array([1.2, 0.3, 0.8]), np.array([1.0, 0.8, 0.1, 0.0]), 0.1, 3


# output
"""Derivative of `yield_of` in chemical_kinetics.py, line 9: reverse mode, with respect
to k and c.

For arguments k: f8[k_0], c: f8[c_0], dt: float, steps: int.

Written by retrograd 0.1.0 (source d3bf6748). Change the function, not this file.
"""

import numpy as np


def yield_of_grad(k, c, dt, steps):
    # forward
    c_2 = c.copy()       # line 10
    c_length = len(c_2)  # line 12
    tape = []
    for _ in range(steps):  # line 11
        rate = np.zeros(c_length)
        speed = k[0]                  # line 14
        c_part = c_2[0]               # line 16
        speed = speed * c_part
        c_part_2 = c_2[1]
        speed_2 = speed * c_part_2
        minus = -speed_2              # line 18
        rate[0] += minus
        rate[1] += minus
        rate[2] += speed_2            # line 20
        speed_2 = k[1]                # line 14
        c_part_3 = c_2[2]             # line 16
        speed_2 = speed_2 * c_part_3
        rate[2] -= speed_2            # line 18
        rate[0] += speed_2            # line 20
        rate[1] += speed_2
        speed_2 = k[2]                # line 14
        speed_2 = speed_2 * c_part_3  # line 16
        tape.append((c_part, speed, c_part_2, c_part_3, speed_2))
        speed = speed_2 * c_part_2
        minus = -speed                # line 18
        rate[2] += minus
        rate[1] += minus
        rate[3] += speed              # line 20
        c_2 += dt * rate              # line 21
    # backward
    c_bar = np.zeros(c.shape)  # line 22
    c_bar[3] += 1.0
    k_bar = np.zeros(k.shape)  # line 11
    for c_part, speed, c_part_2, c_part_3, speed_2 in reversed(tape):
        speed_3 = k[0]
        speed_4 = k[1]
        speed_5 = k[2]
        rate_bar = dt * c_bar                          # line 21
        neg_bar = rate_bar[1]                          # line 18
        neg_bar_2 = rate_bar[2]
        speed_bar = rate_bar[3] - (neg_bar + neg_bar_2)
        speed_bar_2 = speed_bar * c_part_2             # line 16
        speed_bar_3 = speed_bar_2 * c_part_3
        k_bar[2] += speed_bar_3                        # line 14
        speed_bar_3 = neg_bar + rate_bar[0]            # line 20
        speed_bar_4 = speed_bar_3 - neg_bar_2          # line 18
        speed_bar_5 = speed_bar_4 * c_part_3           # line 16
        c_bar[2] += speed_5 * speed_bar_2 + speed_4 * speed_bar_4
        k_bar[1] += speed_bar_5                        # line 14
        speed_bar_2 = neg_bar_2 - speed_bar_3          # line 18
        speed_bar_3 = speed_bar_2 * c_part_2           # line 16
        c_bar[1] += speed_2 * speed_bar + speed * speed_bar_2
        speed_bar = speed_bar_3 * c_part
        c_bar[0] += speed_3 * speed_bar_3
        k_bar[0] += speed_bar                          # line 14
    return k_bar, c_bar
