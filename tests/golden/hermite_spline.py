"""A cubic spline through points, evaluated where searchsorted finds the interval."""
# differentiate: roughness wrt ys, slopes, at

import numpy as np


def roughness(xs, ys, slopes, at):
    k = np.clip(np.searchsorted(xs, at) - 1, 0, len(xs) - 2)
    h = xs[k + 1] - xs[k]
    t = (at - xs[k]) / h
    left = (1 + 2 * t) * (1 - t) ** 2 * ys[k] + t * (1 - t) ** 2 * h * slopes[k]
    right = t**2 * (3 - 2 * t) * ys[k + 1] + t**2 * (t - 1) * h * slopes[k + 1]
    return np.sum(np.diff(left + right) ** 2)


def arguments():
    rng = np.random.default_rng(24)
    xs = np.array([0.0, 0.5, 1.2, 2.0])
    return xs, rng.normal(size=4), rng.normal(size=4), np.array([0.2, 0.6, 1.0, 1.9])


# output
"""Derivative of `roughness` in hermite_spline.py: reverse mode, with respect to ys,
slopes and at.

For arguments xs: f8[xs_0], ys: f8[ys_0], slopes: f8[slopes_0], at: f8[at_0].

Written by retrograd 0.2.0 (source 57adae42). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def roughness_grad(xs, ys, slopes, at):
    # forward
    k = np.clip(np.searchsorted(xs, at) - 1, 0, len(xs) - 2)
    k_plus_1 = k + 1
    xs_part = xs[k]
    h = xs[k_plus_1] - xs_part
    t = (at - xs_part) / h
    product = 2 * t
    total = 1 + product
    difference = 1 - t
    power = difference**2
    product_2 = total * power
    ys_part = ys[k]
    product_3 = t * power * h
    slopes_part = slopes[k]
    left = product_2 * ys_part + product_3 * slopes_part
    t_squared = t**2
    difference_2 = 3 - product
    product_4 = t_squared * difference_2
    ys_part_2 = ys[k_plus_1]
    t_minus_1 = t - 1
    product_5 = t_squared * t_minus_1 * h
    slopes_part_2 = slopes[k_plus_1]
    right = product_4 * ys_part_2 + product_5 * slopes_part_2
    total_2 = left + right
    # backward
    # `return np.sum(np.diff(left + right) ** 2)`
    add_bar = rt.undiff(2.0 * np.diff(total_2), total_2)
    # `right = t ** 2 * (3 - 2 * t) * ys[k + 1] + t ** 2 * (t - 1) * h * slopes[k + 1]`
    slopes_bar = np.zeros(slopes.shape)
    slopes_bar = rt.index_add(slopes_bar, k_plus_1, product_5 * add_bar)
    mul_bar = add_bar * slopes_part_2 * h
    mul_bar_2 = add_bar * ys_part_2
    ys_bar = np.zeros(ys.shape)
    ys_bar = rt.index_add(ys_bar, k_plus_1, product_4 * add_bar)
    t_bar_part = product * (mul_bar * t_minus_1 + mul_bar_2 * difference_2)
    # `left = (1 + 2 * t) * (1 - t) ** 2 * ys[k] + t * (1 - t) ** 2 * h * slopes[k]`
    slopes_bar = rt.index_add(slopes_bar, k, product_3 * add_bar)
    mul_bar_3 = add_bar * slopes_part * h
    mul_bar_4 = add_bar * ys_part
    ys_bar = rt.index_add(ys_bar, k, product_2 * add_bar)
    sub_bar = 2.0 * difference * (t * mul_bar_3 + total * mul_bar_4)
    t_bar = t_squared * mul_bar + t_bar_part + mul_bar_3 * power - sub_bar
    t_bar = t_bar + 2.0 * (mul_bar_4 * power - t_squared * mul_bar_2)
    return ys_bar, slopes_bar, t_bar / h
