"""continue skips the rest of an iteration; which ones depends on the data."""
# differentiate: total wrt x

import numpy as np


def total(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        s = s + np.sqrt(x[i]) * (i + 1)
    return s


def arguments():
    return (np.array([0.5, -1.0, 2.0, -0.3, 1.5]),)


# output
"""Derivative of `total` in continue_skip.py, line 7: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.1.0 (source b5b71210). Change the function, not this file.
"""

import numpy as np


def total_grad(x):
    # forward
    x_length = len(x)  # line 9
    tape = []
    for i, x_part in enumerate(x):  # line 9
        below = x_part < 0  # line 10
        if below:
            total = None
            sqrt = None
        else:
            total = i + 1
            sqrt = np.sqrt(x_part)
        tape.append((below, total, sqrt))
    # backward
    x_bar = np.zeros(x.shape)  # line 9
    for i, (below, total, sqrt) in zip(reversed(range(x_length)), reversed(tape)):
        if below:  # line 10
            getitem_bar = 0.0
        else:
            getitem_bar = 0.5 * total / sqrt
        x_bar[i] = getitem_bar
    return x_bar
