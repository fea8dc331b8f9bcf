"""Overlapping slices of one vector."""
# differentiate: rosenbrock wrt x
# sig: x: f8[n]

import numpy as np


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def arguments():
    return (np.array([-1.2, 1.0, 0.5, 0.8]),)


# output
"""Derivative of `rosenbrock` in rosenbrock.py: reverse mode, with respect to x.

For arguments x: f8[n].

Written by retrograd 0.2.0 (source 06a36cee). Change the function, not this file.
"""

import numpy as np


def rosenbrock_grad(x):
    # forward
    x_part = x[:-1]
    difference = x[1:] - x_part**2
    # backward
    # `return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)`
    x_bar = np.zeros(x.shape)
    x_bar[:-1] = -2.0 * (1 - x_part) + -400.0 * x_part * difference
    x_bar[1:] += 200.0 * difference
    return x_bar
