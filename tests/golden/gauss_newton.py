"""Gauss-Newton steps of a least-squares fit: each a small linear one."""
# differentiate: residual wrt p, y

import numpy as np


def residual(p, x, y):
    for _ in range(2):
        growth = np.exp(p[1] * x)
        j = np.stack([growth, p[0] * x * growth], axis=1)
        step, _, _, _ = np.linalg.lstsq(j, y - p[0] * growth, rcond=None)
        p = p + step
    return np.sum((y - p[0] * np.exp(p[1] * x)) ** 2)


def arguments():
    x = np.linspace(0, 1, 6)
    return np.array([1.8, 0.4]), x, 2 * np.exp(0.5 * x) + 0.1 * np.sin(9 * x)


# output
"""Derivative of `residual` in gauss_newton.py, line 7: reverse mode, with respect to p
and y.

For arguments p: f8[p_0], x: f8[x_0], y: f8[y_0].

Written by retrograd 0.1.0 (source 2b83438c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def residual_grad(p, x, y):
    # forward
    p_2 = p
    tape = []
    for _ in range(2):  # line 8
        growth = np.exp(p_2[1] * x)                         # line 9
        p_part = p_2[0]                                     # line 10
        product = p_part * x
        product_2 = product * growth
        j = np.stack([growth, product_2], axis=1)
        difference = y - p_part * growth                    # line 11
        step = np.linalg.lstsq(j, difference, rcond=None)[0]
        tape.append((growth, p_part, product, product_2, j, difference, step))
        p_2 = p_2 + step                                    # line 12
    exp = np.exp(p_2[1] * x)  # line 13
    product = p_2[0] * exp
    difference = y - product
    # backward
    sub_bar = 2.0 * difference
    mul_bar = -2.0 * difference
    p_bar = np.zeros(p.shape)
    p_bar[1] = np.add.reduce(product * mul_bar * x)
    p_bar[0] = np.add.reduce(mul_bar * exp)
    y_bar = sub_bar
    for growth, p_part, product, product_2, j, difference, step in reversed(tape):
        pinv_j = np.linalg.pinv(j, rt.cutoff(j))            # line 11
        T = pinv_j.T
        sub_bar = T @ p_bar
        difference_2 = p_bar - j.T @ sub_bar
        total = (
            difference_2[:, None] * (T @ step)
            + (pinv_j @ sub_bar)[:, None] * (difference - j @ step)
        )
        j_bar = total.T + (-sub_bar)[:, None] * step
        y_bar += sub_bar
        # line 10
        unstack_like = rt.unstack_like(j_bar, like=[growth, product_2], axis=1)
        mul_bar = unstack_like[1]
        growth_bar = unstack_like[0] - p_part * sub_bar + product * mul_bar
        p_bar = rt.copy(p_bar)
        p_bar[0] += (
            np.add.reduce(mul_bar * growth * x) - np.add.reduce(sub_bar * growth)
        )
        p_bar[1] += np.add.reduce(growth * growth_bar * x)  # line 9
    return p_bar, y_bar
