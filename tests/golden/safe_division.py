"""np.errstate around a division whose bad entries are replaced afterwards."""
# differentiate: mean_ratio wrt a, b

import numpy as np


def mean_ratio(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))
        logs = np.log(np.abs(a))
    return np.sum(ratio) + np.sum(logs)


def arguments():
    return np.array([1.0, 2.0, -3.0]), np.array([2.0, 0.5, 4.0])


# output
"""Derivative of `mean_ratio` in safe_division.py: reverse mode, with respect to a and
b.

For arguments a: f8[a_0], b: f8[b_0].

Written by retrograd 0.2.0 (source be08611b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def mean_ratio_grad(a, b):
    # forward
    with np.errstate(divide="ignore", invalid="ignore"):
        same = b == 0
        where_b = np.where(same, 1.0, b)
        absolute_a = np.abs(a)
        ratio = a / where_b
    # backward
    with np.errstate(divide="ignore", invalid="ignore"):
        # `ratio = np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))`
        where_bar_part = rt.div0(np.where(same, 0.0, 1.0), where_b)
        a_bar = rt.sign(a) / absolute_a + where_bar_part
        b_bar = np.where(same, 0.0, rt.mul0(-where_bar_part, ratio))
    a_bar = rt.copy(a_bar)
    b_bar = rt.copy(b_bar)
    return a_bar, b_bar
