"""Helpers that call helpers; each gets a pair of its own or is inlined."""
# differentiate: loss wrt x, scale

import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def swish(z, scale):
    return z * sigmoid(scale * z)


def loss(x, scale):
    return np.sum(swish(swish(x, scale), 2.0))


def arguments():
    return np.array([0.3, -1.2, 2.0]), 1.5


# output
"""Derivative of `loss` in nested_helpers.py: reverse mode, with respect to x and scale.

For arguments x: f8[x_0], scale: float.

Written by retrograd 0.2.0 (source 6fcbbb9d). Change the function, not this file.
"""

import numpy as np


def loss_grad(x, scale):
    # forward
    ratio = 1 / (1 + np.exp(-(scale * x)))
    product = x * ratio
    ratio_2 = 1 / (1 + np.exp(-(2.0 * product)))
    # backward
    # `return np.sum(swish(swish(x, scale), 2.0))`
    mul_bar = ratio_2 + 2.0 * (product * ratio_2 * (1.0 - ratio_2))
    mul_bar_2 = product * mul_bar * (1.0 - ratio)
    x_bar = mul_bar * ratio + scale * mul_bar_2
    scale_bar = np.sum(mul_bar_2 * x)
    return x_bar, float(scale_bar)
