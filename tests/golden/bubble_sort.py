"""One pass after the other, swapping neighbours in place until nothing changes."""
# differentiate: weighted wrt x

import numpy as np


def weighted(x):
    x = x.copy()
    swapped = True
    while swapped:
        swapped = False
        for i in range(len(x) - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
                swapped = True
    return np.sum(x**2 * np.arange(1, len(x) + 1))


def arguments():
    return (np.array([0.7, -0.2, 1.4, 0.1]),)


# output
"""Derivative of `weighted` in bubble_sort.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source 3b56f09d). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def weighted_grad(x):
    # forward
    copy_x = x.copy()
    difference = len(copy_x) - 1
    swapped = True
    tape = []
    while swapped:
        swapped = False
        tape_2 = []
        for i in range(difference):
            x_i = copy_x[i]
            i_plus_1 = i + 1
            x_part = copy_x[i_plus_1]
            above = x_i > x_part
            tape_2.append(above)
            if above:
                copy_x[i] = x_part
                copy_x[i_plus_1] = x_i
                swapped = True
        tape.append(tape_2)
    # backward
    # `return np.sum(x ** 2 * np.arange(1, len(x) + 1))`
    x_bar = 2.0 * copy_x * (rt.stretch(1.0, x) * np.arange(1, len(copy_x) + 1))
    for tape_2 in reversed(tape):
        for i, above in zip(reversed(range(difference)), reversed(tape_2)):
            if above:
                i_plus_1 = i + 1
                # `x[i], x[i + 1] = (x[i + 1], x[i])`
                getitem_bar = x_bar[i_plus_1]
                x_bar[i_plus_1] = 0.0
                getitem_bar_2 = x_bar[i]
                x_bar[i] = getitem_bar
                x_bar[i_plus_1] += getitem_bar_2
    return x_bar
