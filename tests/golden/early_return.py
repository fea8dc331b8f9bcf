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
"""Derivative of `huber` in early_return.py: reverse mode, with respect to x and delta.

For arguments x: f8[x_0], delta: float.

Written by retrograd 0.2.0 (source 034f84f8). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def huber_grad(x, delta):
    # forward
    norm = np.sqrt(np.sum(x**2))
    # backward
    if norm <= delta:
        norm_bar = norm
        delta_bar = 0.0
    else:
        excess = norm - delta
        # `excess = norm - delta`
        delta_bar = delta + excess - delta
        norm_bar = delta
    # `norm = np.sqrt(np.sum(x ** 2))`
    x_bar = x * (norm_bar / norm)
    return rt.match(x_bar, x), float(delta_bar)
