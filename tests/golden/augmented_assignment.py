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
"""Derivative of `mixed` in augmented_assignment.py: reverse mode, with respect to x and
y.

For arguments x: float, y: float.

Written by retrograd 0.2.0 (source 9e1e98b8). Change the function, not this file.
"""


def mixed_grad(x, y):
    # forward
    z = x + y
    z_2 = z * x
    z_2 -= y * y
    total = 1 + x * x
    z_2 /= total
    # backward
    # `z **= 2`
    z_bar = 2 * z_2
    # `z /= 1 + x * x`
    z_bar /= total
    # `z *= x`
    z_bar_2 = z_bar * x
    # `z += y`
    x_bar = -2 * (z_2 * z_bar) * x + z * z_bar + z_bar_2
    y_bar = -2 * z_bar * y + z_bar_2
    return x_bar, y_bar
