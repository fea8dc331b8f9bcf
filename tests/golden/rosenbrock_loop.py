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
    # forward
    difference = len(x) - 1  # line 9
    tape = []
    for i in range(difference):  # line 9
        x_part = x[i]  # line 10
        tape.append((x[i + 1] - x_part ** 2, 1 - x_part))
    # backward
    x_bar = np.zeros(x.shape)  # line 9
    for i, (difference, difference_2) in zip(
        reversed(range(difference)), reversed(tape)
    ):
        x_bar[i] -= 2 * difference_2 + 400 * x[i] * difference  # line 10
        x_bar[i + 1] += 200 * difference
    return x_bar
