"""The same valley element by element: a counted loop that only accumulates."""
# differentiate: rosenbrock wrt x

import numpy as np


def rosenbrock(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    return total


def arguments():
    return (np.array([-1.2, 1.0, 0.5, 0.8]),)


# output
"""Derivative of `rosenbrock` in rosenbrock_loop.py, line 7: reverse mode, with respect
to x.

For arguments x: f8[x_0].

Written by retrograd 0.1.0 (source 540d7c3c). Change the function, not this file.
"""

import numpy as np


def rosenbrock_grad(x):
    x_bar = np.zeros(x.shape)  # line 9
    for i in range(len(x) - 1):  # line 9
        total = i + 1  # line 10
        x_part = x[i]
        difference = x[total] - x_part ** 2
        x_bar[i] -= 2 * (1 - x_part) + 400 * x_part * difference
        x_bar[total] += 200 * difference
    return x_bar
