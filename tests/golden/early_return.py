"""A guard at the top returns at once."""
# differentiate: huber wrt x, delta

import numpy as np


def huber(x, delta):
    norm = np.sqrt(np.sum(x**2))
    if norm <= delta:
        return 0.5 * norm**2
    excess = norm - delta
    return delta * excess + 0.5 * delta**2


def arguments():
    return np.array([1.0, -2.0, 0.5]), 1.0


# output
"""Derivative of `huber` in early_return.py, line 7: reverse mode, with respect to x and
delta.

For arguments x: f8[x_0], delta: float.

Written by retrograd 0.1.0 (source 034f84f8). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def huber_grad(x, delta):
    # forward
    norm = np.sqrt(np.add.reduce(x ** 2))  # line 8
    # backward
    if norm <= delta:  # line 9
        norm_bar = norm
        delta_bar = 0.0
    else:
        excess = norm - delta  # line 11
        delta_bar = delta + excess - delta
        norm_bar = delta
    x_bar = 2.0 * x * (norm_bar / (2 * norm))  # line 8
    x_bar = rt.match(x_bar, x)
    delta_bar = float(delta_bar)
    return x_bar, delta_bar
