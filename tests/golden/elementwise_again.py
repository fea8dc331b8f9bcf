"""`checkpoint="elementwise"`: one array of a chain is kept, the others are computed again from it."""
# differentiate: energy wrt x, w

import numpy as np

import retrograd as rg


@rg.differentiate(checkpoint="elementwise")
def energy(x, w, steps):
    for _ in range(steps):
        a = x * w
        b = np.exp(-a * a)
        x = b * np.sin(b) + a
    return np.sum(x)


def arguments():
    return np.array([0.4, -1.2, 0.9]), np.array([0.7, 0.3, -0.5]), 3


# output
"""Derivative of `energy` in elementwise_again.py: reverse mode, with respect to x and
w.

For arguments x: f8[x_0], w: f8[w_0], steps: int.

Written by retrograd 0.2.0 (source 31392373). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(x, w, steps):
    # forward
    x_2 = x
    tape = []
    for _ in range(steps):
        tape.append(x_2)
        a = x_2 * w
        b = np.exp(-a * a)
        x_2 = b * np.sin(b) + a
    # backward
    # `return np.sum(x)`
    x_bar = rt.stretch(1.0, x)
    w_bar = np.zeros(w.shape)
    for x_2 in reversed(tape):
        a = x_2 * w  # recomputed
        b = np.exp(-a * a)  # recomputed
        # `x = b * np.sin(b) + a`
        b_bar = x_bar * np.sin(b) + np.cos(b) * (b * x_bar)
        # `b = np.exp(-a * a)`
        mul_bar = b * b_bar
        a_bar = x_bar - a * mul_bar - mul_bar * a
        # `a = x * w`
        x_bar = a_bar * w
        w_bar += x_2 * a_bar
    x_bar = rt.copy(x_bar)
    return x_bar, w_bar
