"""A histogram of weights: np.add.at counts every entry of a bin."""
# differentiate: entropy wrt weights

import numpy as np


def entropy(weights, bins, n):
    h = np.zeros(n)
    np.add.at(h, bins, weights)
    p = h / np.sum(h)
    return -np.sum(h * np.log(p))


def arguments():
    return np.array([0.3, 0.8, 0.2, 0.5, 0.9]), np.array([0, 2, 1, 0, 2]), 3


# output
"""Derivative of `entropy` in weighted_histogram.py, line 7: reverse mode, with respect
to weights.

For arguments weights: f8[weights_0], bins: i8[bins_0], n: int.

Written by retrograd 0.1.0 (source df892397). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def entropy_grad(weights, bins, n):
    # forward
    h = np.zeros(n)                               # line 8
    np.add.at(h, bins, weights)                   # line 9
    total = np.add.reduce(h)                      # line 10
    p = h / total
    log_p = np.log(p)                             # line 11
    # backward
    mul_bar = rt.stretch(-1.0, h * log_p)
    p_bar = rt.unbroadcast(h * mul_bar, log_p) / p
    ratio = p_bar / total                         # line 10
    h_bar = (
        rt.unbroadcast(mul_bar * log_p, h)
        + rt.unbroadcast(ratio, h)
        + rt.stretch(-np.add.reduce(p * ratio), h)
    )
    return h_bar[bins]
