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
"""Derivative of `weighted` in bubble_sort.py, line 7: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.1.0 (source 3b56f09d). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def weighted_grad(x):
    # forward
    x_2 = x.copy()             # line 8
    difference = len(x_2) - 1  # line 12
    swapped = True
    tape = []
    while swapped:  # line 10
        swapped = False
        tape_2 = []
        for i in range(difference):  # line 12
            x_part = x_2[i]  # line 13
            total = i + 1
            x_part_2 = x_2[total]
            above = x_part > x_part_2
            tape_2.append(above)
            if above:
                x_2[i] = x_part_2  # line 14
                x_2[total] = x_part
                swapped = True
        tape.append(tape_2)
    # backward
    x_bar = 2.0 * x_2 * (rt.stretch(1.0, x) * np.arange(1, len(x_2) + 1))  # line 16
    for tape_2 in reversed(tape):
        for i, above in zip(reversed(range(difference)), reversed(tape_2)):
            if above:  # line 13
                total = i + 1
                getitem_bar = x_bar[total]     # line 14
                x_bar[total] = 0.0
                getitem_bar_2 = x_bar[i]
                x_bar[i] = 0.0
                x_bar[total] += getitem_bar_2  # line 13
                x_bar[i] += getitem_bar
    return x_bar
