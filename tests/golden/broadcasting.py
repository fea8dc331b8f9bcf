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
"""Derivative of `loss` in broadcasting.py, line 8: reverse mode, with respect to bias,
scale and offset.

For arguments bias: f8[d], scale: f8[n, 1], offset: float, x: f8[n, d].

Written by retrograd 0.1.0 (source 9dc65151). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(bias, scale, offset, x):
    # forward
    total = scale * x + bias  # line 9
    # backward
    offset_bar = (
        2 * offset * np.add.reduce(rt.stretch(1.0, x), axis=None)
        + np.add.reduce(np.sin(total), axis=None)
    )
    cos = np.cos(total)
    bias_bar = np.add.reduce(cos) * offset
    scale_bar = rt.unbroadcast(cos * offset * x, scale)
    scale_bar = rt.copy(scale_bar)
    offset_bar = float(offset_bar)
    return bias_bar, scale_bar, offset_bar
