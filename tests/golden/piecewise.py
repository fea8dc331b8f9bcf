"""Piecewise functions without branches: maximum, minimum, where, abs and clip."""
# differentiate: loss wrt x, knee

import numpy as np


def loss(x, knee):
    hinge = np.maximum(x - knee, 0.0)
    soft = np.where(x > knee, knee * np.abs(x), x**2)
    return np.sum(hinge * np.minimum(x, 2.0)) + np.sum(soft) + np.sum(np.clip(x, -1, 1) ** 3)


def arguments():
    return np.array([-1.6, -0.4, 0.3, 1.2, 2.7]), 0.5


# output
"""Derivative of `loss` in piecewise.py: reverse mode, with respect to x and knee.

For arguments x: f8[x_0], knee: float.

Written by retrograd 0.2.0 (source d6e77cce). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(x, knee):
    # forward
    x_minus_knee = x - knee
    hinge = np.maximum(x_minus_knee, 0.0)
    above = x > knee
    # backward
    # `return np.sum(hinge * np.minimum(x, 2.0)) + np.sum(soft) + ...`
    x_bar = rt.if_inside(3.0 * np.clip(x, -1, 1) ** 2, x, -1, 1)
    # `soft = np.where(x > knee, knee * np.abs(x), x ** 2)`
    x_bar = x_bar + rt.if_larger(hinge, 2.0, x) + np.where(above, 0.0, 2.0 * x)
    # `hinge = np.maximum(x - knee, 0.0)`
    sub_bar = rt.if_larger(np.minimum(x, 2.0), x_minus_knee, 0.0)
    x_bar = x_bar + np.where(above, knee * rt.sign(x), 0.0) + sub_bar
    knee_bar = np.sum(np.where(above, np.abs(x), 0.0)) - np.sum(sub_bar)
    return rt.match(x_bar, x), float(knee_bar)
