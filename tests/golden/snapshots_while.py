"""Snapshots of a loop of unknown length; what is only summed up is no state."""
# differentiate: relaxed wrt x, rate

import numpy as np

import retrograd as rg


def relaxed(x, rate, tolerance=1e-3):
    cost = 0.0
    while rg.checkpointed(np.max(np.abs(x)) > tolerance, snapshots=4):
        x = x * rate - 0.1 * np.sin(x)
        cost = cost + np.sum(x * x)
    return cost


def arguments():
    return np.array([0.4, -1.2, 0.9]), 0.9, 1e-3


# output
"""Derivative of `relaxed` in snapshots_while.py: reverse mode, with respect to x and
rate.

For arguments x: f8[x_0], rate: float, tolerance: float.

Written by retrograd 0.2.0 (source 5f1d3b6e). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def relaxed_grad(x, rate, tolerance=0.001):
    # forward
    kept = rt.snapshots(None, 4)
    x_2 = x
    n = 0
    while np.max(np.abs(x_2)) > tolerance:
        n += 1
        rt.keep_state(kept, x_2)
        x_2 = x_2 * rate - 0.1 * np.sin(x_2)
    # backward
    x_bar = np.zeros(x.shape)
    kept = rt.rewind(kept)
    rate_bar = 0.0
    for k in reversed(range(n)):
        start, x = rt.restore(kept, k)
        for _ in range(start, k):  # recomputed
            rt.keep_state(kept, x)
            x = x * rate - 0.1 * np.sin(x)
        x_2 = x * rate - 0.1 * np.sin(x)
        # `cost = cost + np.sum(x * x)`
        x_bar = x_bar + 2.0 * x_2
        # `x = x * rate - 0.1 * np.sin(x)`
        rate_bar = rate_bar + np.sum(x * x_bar)
        x_bar = np.cos(x) * (-0.1 * x_bar) + x_bar * rate
    return x_bar, float(rate_bar)
