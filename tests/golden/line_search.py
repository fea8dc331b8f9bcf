"""Gradient descent where every step is shortened until it goes down far enough."""
# differentiate: reached wrt x, a

import numpy as np


def rosenbrock(x, a):
    return (1 - x[0]) ** 2 + a * (x[1] - x[0] ** 2) ** 2


def slope(x, a):
    r = x[1] - x[0] ** 2
    return np.array([-2 * (1 - x[0]) - 4 * a * x[0] * r, 2 * a * r])


def reached(x, a, steps):
    for _ in range(steps):
        g = slope(x, a)
        f = rosenbrock(x, a)
        t = 1.0
        while rosenbrock(x - t * g, a) > f - 1e-4 * t * (g @ g):
            t *= 0.5
        x = x - t * g
    return rosenbrock(x, a)


def arguments():
    return np.array([-0.4, 0.6]), 5.0, 3


# output
"""Derivative of `reached` in line_search.py: reverse mode, with respect to x and a.

For arguments x: f8[x_0], a: float, steps: int.

Written by retrograd 0.2.0 (source c5196c77). Change the function, not this file.
"""

import numpy as np


def slope_fwd(x, a):
    x_0 = x[0]
    r = x[1] - x_0**2
    product = 4 * a
    product_2 = product * x_0
    product_3 = 2 * a
    saved = product_3, r, product_2, product, x_0, x
    return np.array([-2 * (1 - x_0) - product_2 * r, product_3 * r]), saved


def slope_rev(saved, result):
    product, r, product_2, product_3, x_0, x = saved
    # `return np.array([-2 * (1 - x[0]) - 4 * a * x[0] * r, 2 * a * r])`
    sub_bar, mul_bar = result
    getitem_bar_part = sub_bar * r
    r_bar = product * mul_bar - product_2 * sub_bar
    a_bar = 2 * (mul_bar * r) - 4 * (getitem_bar_part * x_0)
    # `r = x[1] - x[0] ** 2`
    x_bar = np.zeros(x.shape)
    x_bar[0] = 2 * sub_bar - product_3 * getitem_bar_part - 2 * x_0 * r_bar
    x_bar[1] = r_bar
    return x_bar, a_bar


def reached_grad(x, a, steps):
    # forward
    x_2 = x
    tape = []
    for _ in range(steps):
        g, slope_saved = slope_fwd(x_2, a)
        x_0 = x_2[0]
        f = (1 - x_0) ** 2 + a * (x_2[1] - x_0**2) ** 2
        t = 1.0
        while True:
            difference = x_2 - t * g
            part = difference[0]
            if not (1 - part) ** 2 + a * (
                difference[1] - part**2
            ) ** 2 > f - 0.0001 * t * (g @ g):
                break
            t *= 0.5
        tape.append((slope_saved, t))
        x_2 = x_2 - t * g
    x_0 = x_2[0]
    difference_2 = x_2[1] - x_0**2
    # backward
    # `return rosenbrock(x, a)`
    sub_bar = 2 * difference_2 * a
    x_bar = np.zeros(x.shape)
    x_bar[1] = sub_bar
    x_bar[0] = -2 * (1 - x_0) - 2 * x_0 * sub_bar
    a_bar = difference_2**2
    for slope_saved, t in reversed(tape):
        # `x = x - t * g`
        g_bar = -(t * x_bar)
        # `g = slope(x, a)`
        x_bar_2, a_bar_2 = slope_rev(slope_saved, g_bar)
        x_bar = x_bar + x_bar_2
        a_bar += a_bar_2
    return x_bar, float(a_bar)
