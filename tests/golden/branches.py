"""if, elif and else that bind the same name."""
# differentiate: activation wrt x, slope

import math


def activation(x, slope):
    if x > 3.0:
        y = x
    elif x > 0.0:
        y = x * math.tanh(x)
    else:
        y = slope * math.expm1(x)
    return y * y + slope


def arguments():
    return 1.3, 0.2


# output
"""Derivative of `activation` in branches.py, line 7: reverse mode, with respect to x
and slope.

For arguments x: float, slope: float.

Written by retrograd 0.1.0 (source 83e7ec14). Change the function, not this file.
"""

import math


def activation_grad(x, slope):
    # forward
    above = x > 3.0  # line 8
    if above:
        y = x
        above_2 = None
        tanh_x = None
        expm1_x = None
    else:
        above_2 = x > 0.0  # line 10
        if above_2:
            tanh_x = math.tanh(x)  # line 11
            y = x * tanh_x
            expm1_x = None
        else:
            expm1_x = math.expm1(x)  # line 13
            y = slope * expm1_x
            tanh_x = None
    y_bar = 2.0 * y  # line 14
    if above:  # line 8
        return y_bar, 1.0
    if above_2:  # line 10
        x_bar = y_bar * tanh_x + (1 - tanh_x * tanh_x) * (x * y_bar)  # line 11
        return x_bar, 1.0
    slope_bar = 1.0 + y_bar * expm1_x  # line 13
    x_bar = (expm1_x + 1) * (slope * y_bar)
    return x_bar, slope_bar
