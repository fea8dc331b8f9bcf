"""One helper called twice with different arguments."""
# differentiate: distance wrt p, q

import numpy as np


def warp(point, twist):
    x, y = point
    angle = twist * (x * x + y * y)
    return x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)


def distance(p, q, twist):
    a, b = warp(p, twist)
    c, d = warp(q, -twist)
    return np.hypot(a - c, b - d)


def arguments():
    return (0.5, 1.0), (-0.7, 0.4), 0.3


# output
"""Derivative of `distance` in helper_twice.py: reverse mode, with respect to p and q.

For arguments p: (float, float), q: (float, float), twist: float.

Written by retrograd 0.2.0 (source 809b75ef). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def warp_fwd(point, twist):
    x, y = point
    angle = twist * (x * x + y * y)
    cos_angle = np.cos(angle)
    sin_angle = np.sin(angle)
    saved = y, cos_angle, x, sin_angle, twist
    return x * cos_angle - y * sin_angle, x * sin_angle + y * cos_angle, saved


def warp_rev(saved, result, result_2):
    y, cos_angle, x, sin_angle, twist = saved
    # `return (x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * ...`
    angle_bar = cos_angle * (x * result_2 - y * result)
    angle_bar -= sin_angle * (y * result_2 + x * result)
    # `angle = twist * (x * x + y * y)`
    y_bar_part = 2 * (twist * angle_bar)
    y_bar = result_2 * cos_angle - result * sin_angle + y_bar_part * y
    x_bar = result_2 * sin_angle + result * cos_angle + y_bar_part * x
    return x_bar, y_bar


def distance_grad(p, q, twist):
    # forward
    a, b, warp_saved = warp_fwd(p, twist)
    c, d, warp_saved_2 = warp_fwd(q, -twist)
    a_minus_c = a - c
    b_minus_d = b - d
    # backward
    # `return np.hypot(a - c, b - d)`
    divide_or_zero = rt.divide_or_zero(1.0, np.hypot(a_minus_c, b_minus_d))
    sub_bar = b_minus_d * divide_or_zero
    sub_bar_2 = a_minus_c * divide_or_zero
    d_bar = -sub_bar
    c_bar = -sub_bar_2
    # `c, d = warp(q, -twist)`
    q_bar = warp_rev(warp_saved_2, c_bar, d_bar)
    # `a, b = warp(p, twist)`
    p_bar = warp_rev(warp_saved, sub_bar_2, sub_bar)
    return rt.match(p_bar, p), rt.match(q_bar, q)
