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
"""Derivative of `yield_of` in chemical_kinetics.py: reverse mode, with respect to k and
c.

For arguments k: f8[k_0], c: f8[c_0], dt: float, steps: int.

Written by retrograd 0.2.0 (source d3bf6748). Change the function, not this file.
"""

import numpy as np


def yield_of_grad(k, c, dt, steps):
    # forward
    copy_c = c.copy()
    c_length = len(copy_c)
    tape = []
    for _ in range(steps):
        rate = np.zeros(c_length)
        speed = k[0]
        c_0 = copy_c[0]
        speed = speed * c_0
        c_1 = copy_c[1]
        speed_2 = speed * c_1
        minus = -speed_2
        rate[0] += minus
        rate[1] += minus
        rate[2] += speed_2
        speed_2 = k[1]
        c_2 = copy_c[2]
        speed_2 = speed_2 * c_2
        rate[2] -= speed_2
        rate[0] += speed_2
        rate[1] += speed_2
        speed_2 = k[2]
        speed_2 = speed_2 * c_2
        tape.append((c_0, speed, c_1, c_2, speed_2))
        speed = speed_2 * c_1
        minus_2 = -speed
        rate[2] += minus_2
        rate[1] += minus_2
        rate[3] += speed
        copy_c += dt * rate
    # backward
    # `return c[3]`
    c_bar = np.zeros(c.shape)
    c_bar[3] += 1.0
    k_bar = np.zeros(k.shape)
    for c_0, speed, c_1, c_2, speed_2 in reversed(tape):
        speed_3 = k[0]
        speed_4 = k[1]
        speed_5 = k[2]
        # `c += dt * rate`
        rate_bar = dt * c_bar
        # `rate[s] -= speed`
        neg_bar = rate_bar[1]
        neg_bar_2 = rate_bar[2]
        speed_bar = rate_bar[3] - (neg_bar + neg_bar_2)
        # `speed = speed * c[s]`
        speed_bar_2 = speed_bar * c_1
        speed_bar_3 = speed_bar_2 * c_2
        # `speed = k[n]`
        k_bar[2] += speed_bar_3
        # `rate[s] += speed`
        speed_bar_3 = neg_bar + rate_bar[0]
        # `rate[s] -= speed`
        speed_bar_4 = speed_bar_3 - neg_bar_2
        # `speed = speed * c[s]`
        speed_bar_5 = speed_bar_4 * c_2
        c_bar[2] += speed_5 * speed_bar_2 + speed_4 * speed_bar_4
        # `speed = k[n]`
        k_bar[1] += speed_bar_5
        # `rate[s] -= speed`
        speed_bar_2 = neg_bar_2 - speed_bar_3
        # `speed = speed * c[s]`
        speed_bar_3 = speed_bar_2 * c_1
        c_bar[1] += speed_2 * speed_bar + speed * speed_bar_2
        speed_bar = speed_bar_3 * c_0
        c_bar[0] += speed_3 * speed_bar_3
        # `speed = k[n]`
        k_bar[0] += speed_bar
    return k_bar, c_bar
