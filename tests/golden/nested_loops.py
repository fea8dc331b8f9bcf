"""A loop in a loop, the inner one shorter each time: energy of all pairs."""
# differentiate: pairs wrt x

import numpy as np


def pairs(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r2 = np.sum((x[i] - x[j]) ** 2) + 0.1
            total += 1 / r2 - 1 / np.sqrt(r2)
    return total


def arguments():
    rng = np.random.default_rng(7)
    return (rng.normal(size=(4, 2)),)


# output
"""Derivative of `pairs` in nested_loops.py: reverse mode, with respect to x.

For arguments x: f8[x_0, x_1].

Written by retrograd 0.2.0 (source 35dafd50). Change the function, not this file.
"""

import numpy as np


def pairs_grad(x):
    x_bar = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(i):
            difference = x[i] - x[j]
            r2 = np.sum(difference**2) + 0.1
            ratio = 1 / r2
            # `total += 1 / r2 - 1 / np.sqrt(r2)`
            r2_bar = 1 / np.sqrt(r2) / (2 * r2) - ratio * ratio
            # `r2 = np.sum((x[i] - x[j]) ** 2) + 0.1`
            sub_bar = 2.0 * difference * r2_bar
            x_bar[j] -= sub_bar
            x_bar[i] += sub_bar
    return x_bar
