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
"""Derivative of `loss` in piecewise.py, line 7: reverse mode, with respect to x and
knee.

For arguments x: f8[x_0], knee: float.

Written by retrograd 0.1.0 (source d6e77cce). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(x, knee):
    # forward
    difference = x - knee                     # line 8
    hinge = np.maximum(difference, 0.0)
    above = x > knee                          # line 9
    # backward
    soft_bar = rt.stretch(1.0, x)             # line 10
    mul_bar = np.where(above, soft_bar, 0.0)  # line 9
    x_bar = (
        rt.if_inside(3.0 * np.clip(x, -1, 1) ** 2, x, -1, 1)
        + rt.if_larger(hinge, 2.0, x)
        + 2.0 * x * np.where(above, 0.0, soft_bar)
    )
    sub_bar = rt.if_larger(np.minimum(x, 2.0), difference, 0.0)  # line 8
    x_bar = x_bar + rt.sign(x) * (knee * mul_bar) + sub_bar
    knee_bar = np.add.reduce(mul_bar * np.abs(x)) - np.add.reduce(sub_bar)
    x_bar = rt.match(x_bar, x)
    knee_bar = float(knee_bar)
    return x_bar, knee_bar
