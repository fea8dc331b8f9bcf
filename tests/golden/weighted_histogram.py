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
"""Derivative of `entropy` in weighted_histogram.py: reverse mode, with respect to
weights.

For arguments weights: f8[weights_0], bins: i8[bins_0], n: int.

Written by retrograd 0.2.0 (source df892397). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def entropy_grad(weights, bins, n):
    # forward
    h = np.zeros(n)
    np.add.at(h, bins, weights)
    total = np.sum(h)
    p = h / total
    log_p = np.log(p)
    # backward
    # `return -np.sum(h * np.log(p))`
    mul_bar = rt.stretch(-1.0, h * log_p)
    p_bar = rt.unbroadcast(h * mul_bar, log_p) / p
    # `p = h / np.sum(h)`
    h_bar = rt.unbroadcast(mul_bar * log_p, h) + rt.unbroadcast(p_bar / total, h)
    h_bar = h_bar + rt.stretch(-(np.sum(p * p_bar) / total), h)
    return h_bar[bins]
