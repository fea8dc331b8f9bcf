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
"""Derivative of `activation` in branches.py: reverse mode, with respect to x and slope.

For arguments x: float, slope: float.

Written by retrograd 0.2.0 (source 83e7ec14). Change the function, not this file.
"""

import math


def activation_grad(x, slope):
    # forward
    above = x > 3.0
    if above:
        y = x
        above_2 = None
        tanh_x = None
        expm1_x = None
    else:
        above_2 = x > 0.0
        if above_2:
            tanh_x = math.tanh(x)
            y = x * tanh_x
            expm1_x = None
        else:
            expm1_x = math.expm1(x)
            y = slope * expm1_x
            tanh_x = None
    # `return y * y + slope`
    y_bar = 2.0 * y
    if above:
        return y_bar, 1.0
    if above_2:
        # `y = x * math.tanh(x)`
        x_bar = y_bar * tanh_x + (1 - tanh_x * tanh_x) * (x * y_bar)
        return x_bar, 1.0
    # `y = slope * math.expm1(x)`
    slope_bar = 1.0 + y_bar * expm1_x
    x_bar = (expm1_x + 1) * (slope * y_bar)
    return x_bar, slope_bar
