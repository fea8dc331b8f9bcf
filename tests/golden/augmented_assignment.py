"""Every augmented assignment, on scalars."""
# differentiate: mixed wrt x, y


def mixed(x, y):
    z = x
    z += y
    z *= x
    z -= y * y
    z /= 1 + x * x
    z **= 2
    return z


def arguments():
    return 1.7, 0.6


# output
"""Derivative of `mixed` in augmented_assignment.py, line 5: reverse mode, with respect
to x and y.

For arguments x: float, y: float.

Written by retrograd 0.1.0 (source 9e1e98b8). Change the function, not this file.
"""


def mixed_grad(x, y):
    # forward
    z = x + y                                             # line 7
    z_2 = z * x                                           # line 8
    z_2 = z_2 - y * y                                     # line 9
    total = 1 + x * x                                     # line 10
    z_2 = z_2 / total
    # backward
    z_bar = 2 * z_2                                       # line 11
    z_bar = z_bar / total                                 # line 10
    z_bar_2 = z_bar * x                                   # line 8
    x_bar = -2 * (z_2 * z_bar) * x + z * z_bar + z_bar_2  # line 7
    y_bar = -2 * z_bar * y + z_bar_2
    return x_bar, y_bar
