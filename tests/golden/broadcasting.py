"""A bias row, a column and a scalar meet a matrix: each gradient has its own argument's shape."""
# differentiate: loss wrt bias, scale, offset
# sig: bias: f8[d], scale: f8[n, 1], offset: float, x: f8[n, d]

import numpy as np


def loss(bias, scale, offset, x):
    return np.sum(np.sin(scale * x + bias) * offset + offset**2)


def arguments():
    rng = np.random.default_rng(9)
    return rng.normal(size=3), rng.normal(size=(4, 1)), 0.7, rng.normal(size=(4, 3))


# output
"""Derivative of `loss` in broadcasting.py: reverse mode, with respect to bias, scale
and offset.

For arguments bias: f8[d], scale: f8[n, 1], offset: float, x: f8[n, d].

Written by retrograd 0.2.0 (source 9dc65151). Change the function, not this file.
"""

import numpy as np


def loss_grad(bias, scale, offset, x):
    # forward
    total = scale * x + bias
    # backward
    # `return np.sum(np.sin(scale * x + bias) * offset + offset ** 2)`
    offset_bar = 2 * offset * (x.size * 1.0) + np.sum(np.sin(total))
    cos = np.cos(total)
    bias_bar = np.sum(cos, axis=0) * offset
    scale_bar = offset * np.sum(cos * x, axis=1, keepdims=True)
    return bias_bar, scale_bar, float(offset_bar)
