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
"""Derivative of `rosenbrock` in rosenbrock_loop.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source 540d7c3c). Change the function, not this file.
"""

import numpy as np


def rosenbrock_grad(x):
    x_bar = np.zeros(x.shape)
    for i in range(len(x) - 1):
        i_plus_1 = i + 1
        x_i = x[i]
        difference = x[i_plus_1] - x_i**2
        # `total += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2`
        x_bar[i] -= 2 * (1 - x_i) + 400 * x_i * difference
        x_bar[i_plus_1] += 200 * difference
    return x_bar
