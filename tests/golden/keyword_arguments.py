"""Keyword and default arguments, of the function and of a helper."""
# differentiate: loss wrt x, rate

import numpy as np


def decay(t, rate=1.0, *, floor=0.0):
    return floor + (1 - floor) * np.exp(-rate * t)


def loss(x, rate=0.5, weight=2.0):
    fast = decay(x, rate=rate, floor=0.1)
    slow = decay(x)
    return weight * np.sum(fast * slow) + np.mean(x, axis=0)


def arguments():
    return np.array([0.2, 1.0, 3.0]), 0.8


# output
"""Derivative of `loss` in keyword_arguments.py: reverse mode, with respect to x and
rate.

For arguments x: f8[x_0], rate: float, weight: float.

Written by retrograd 0.2.0 (source 5001daaf). Change the function, not this file.
"""

import numpy as np


def loss_grad(x, rate=0.5, weight=2.0):
    # forward
    product = (1 - 0.1) * np.exp(-rate * x)
    fast = 0.1 + product
    product_2 = (1 - 0.0) * np.exp(-1.0 * x)
    slow = 0.0 + product_2
    # backward
    # `return weight * np.sum(fast * slow) + np.mean(x, axis=0)`
    slow_bar = fast * weight
    fast_bar = weight * slow
    # `fast = decay(x, rate=rate, floor=0.1)`
    mul_bar = product * fast_bar
    x_bar = 1.0 / x.shape[0] - product_2 * slow_bar - rate * mul_bar
    rate_bar = -np.sum(mul_bar * x)
    return x_bar, float(rate_bar)
