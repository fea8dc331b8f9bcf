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
"""Derivative of `reached` in line_search.py, line 16: reverse mode, with respect to x
and a.

For arguments x: f8[x_0], a: float, steps: int.

Written by retrograd 0.1.0 (source c5196c77). Change the function, not this file.
"""

import numpy as np


def slope_fwd(x, a):
    x_part = x[0]         # line 12
    r = x[1] - x_part ** 2
    product = 4 * a       # line 13
    product_2 = product * x_part
    product_3 = 2 * a
    saved = product_3, r, product_2, product, x_part, x
    return np.array([-2 * (1 - x_part) - product_2 * r, product_3 * r]), saved


def slope_rev(saved, result):
    product, r, product_2, product_3, x_part, x = saved
    sub_bar = result[0]                                 # line 13
    mul_bar = result[1]
    product_4 = sub_bar * r
    r_bar = product * mul_bar - product_2 * sub_bar
    a_bar = 2 * (mul_bar * r) - 4 * (product_4 * x_part)
    x_bar = np.zeros(x.shape)                           # line 12
    x_bar[0] = 2 * sub_bar - product_3 * product_4 - 2 * x_part * r_bar
    x_bar[1] = r_bar
    return x_bar, a_bar


def reached_grad(x, a, steps):
    # forward
    x_2 = x
    tape = []
    for _ in range(steps):  # line 17
        g, slope_saved = slope_fwd(x_2, a)  # line 18
        x_part = x_2[0]                     # line 19
        f = (1 - x_part) ** 2 + a * (x_2[1] - x_part ** 2) ** 2
        t = 1.0
        while True:  # line 21
            difference = x_2 - t * g  # line 21
            part = difference[0]
            if (
                not (1 - part) ** 2 + a * (difference[1] - part ** 2) ** 2
                    > f - 0.0001 * t * (g @ g)
            ):
                break
            t = t * 0.5  # line 22
        tape.append((slope_saved, t))
        x_2 = x_2 - t * g  # line 23
    x_part = x_2[0]  # line 24
    difference = x_2[1] - x_part ** 2
    # backward
    sub_bar = 2 * difference * a
    x_bar = np.zeros(x.shape)
    x_bar[1] = sub_bar
    x_bar[0] = -2 * (1 - x_part) - 2 * x_part * sub_bar
    a_bar = difference ** 2
    for slope_saved, t in reversed(tape):
        product = t * x_bar                               # line 23
        g_bar = -product
        x_bar_2, a_bar_2 = slope_rev(slope_saved, g_bar)  # line 18
        x_bar = x_bar + x_bar_2
        a_bar = a_bar + a_bar_2
    a_bar = float(a_bar)
    return x_bar, a_bar
