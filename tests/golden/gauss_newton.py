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
"""Derivative of `residual` in gauss_newton.py: reverse mode, with respect to p and y.

For arguments p: f8[p_0], x: f8[x_0], y: f8[y_0].

Written by retrograd 0.2.0 (source 2b83438c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def residual_grad(p, x, y):
    # forward
    p_2 = p
    tape = []
    for _ in range(2):
        growth = np.exp(p_2[1] * x)
        p_0 = p_2[0]
        product = p_0 * x
        product_2 = product * growth
        j = np.stack([growth, product_2], axis=1)
        difference = y - p_0 * growth
        step = np.linalg.lstsq(j, difference, rcond=None)[0]
        tape.append((growth, p_0, product, product_2, j, difference, step))
        p_2 = p_2 + step
    p_0 = p_2[0]
    exp = np.exp(p_2[1] * x)
    difference_2 = y - p_0 * exp
    # backward
    # `return np.sum((y - p[0] * np.exp(p[1] * x)) ** 2)`
    sub_bar = 2.0 * difference_2
    p_bar = np.zeros(p.shape)
    p_bar[1] = -2 * p_0 * np.sum(exp * difference_2 * x)
    p_bar[0] = -2 * np.sum(difference_2 * exp)
    y_bar = sub_bar
    for growth, p_0, product, product_2, j, difference, step in reversed(tape):
        # `step, _, _, _ = np.linalg.lstsq(j, y - p[0] * growth, rcond=None)`
        pinv_j = np.linalg.pinv(j, rt.cutoff(j))
        sub_bar = pinv_j.T @ p_bar
        j_bar_part = (pinv_j @ sub_bar)[:, None] * (difference - j @ step)
        j_bar_part_2 = (p_bar - j.T @ sub_bar)[:, None] * (pinv_j.T @ step) + j_bar_part
        j_bar = j_bar_part_2.T + (-sub_bar)[:, None] * step
        y_bar += sub_bar
        # `j = np.stack([growth, p[0] * x * growth], axis=1)`
        growth_bar_part = rt.unstack_like(j_bar, like=[growth, product_2], axis=1)
        mul_bar = growth_bar_part[1]
        growth_bar = growth_bar_part[0] - p_0 * sub_bar + product * mul_bar
        p_bar = rt.copy(p_bar)
        p_bar[0] += np.sum(mul_bar * growth * x) - np.sum(sub_bar * growth)
        # `growth = np.exp(p[1] * x)`
        p_bar[1] += np.sum(growth * growth_bar * x)
    return p_bar, y_bar
