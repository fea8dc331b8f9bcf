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
"""Derivative of `total` in continue_skip.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source b5b71210). Change the function, not this file.
"""

import numpy as np


def total_grad(x):
    x_bar = np.zeros(x.shape)
    for i, x_part in enumerate(x):
        if not x_part < 0:
            x_bar[i] = 0.5 * (i + 1) / np.sqrt(x_part)
    return x_bar
