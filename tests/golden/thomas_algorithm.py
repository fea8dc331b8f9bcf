"""A tridiagonal system: one sweep forward, one sweep back."""
# differentiate: energy wrt lower, diagonal, upper, rhs

import numpy as np


def energy(lower, diagonal, upper, rhs):
    n = len(diagonal)
    c = np.empty(n)
    d = np.empty(n)
    c[0] = upper[0] / diagonal[0]
    d[0] = rhs[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m
    x = np.empty(n)
    x[n - 1] = d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return np.sum(np.cos(x)) + np.sum(rhs**2)


def arguments():
    rng = np.random.default_rng(4)
    return rng.normal(size=5), 4 + rng.random(5), rng.normal(size=5), rng.normal(size=5)


# output
"""Derivative of `energy` in thomas_algorithm.py, line 7: reverse mode, with respect to
lower, diagonal, upper and rhs.

For arguments lower: f8[lower_0], diagonal: f8[diagonal_0], upper: f8[upper_0], rhs:
f8[rhs_0].

Written by retrograd 0.1.0 (source 06248151). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(lower, diagonal, upper, rhs):
    # forward
    n = len(diagonal)                 # line 8
    c = np.empty(n)                   # line 9
    d = np.empty(n)                   # line 10
    diagonal_part = diagonal[0]       # line 11
    ratio = upper[0] / diagonal_part
    c[0] = ratio
    ratio_2 = rhs[0] / diagonal_part  # line 12
    d[0] = ratio_2
    tape = []
    for i in range(1, n):  # line 13
        lower_part = lower[i]                # line 14
        difference = i - 1
        c_part = c[difference]
        m = diagonal[i] - lower_part * c_part
        ratio_3 = upper[i] / m               # line 15
        c[i] = ratio_3
        d_part = d[difference]               # line 16
        ratio_4 = (rhs[i] - lower_part * d_part) / m
        tape.append((c_part, m, ratio_3, d_part, ratio_4))
        d[i] = ratio_4
    x = np.empty(n)              # line 17
    difference = n - 1           # line 18
    x[difference] = d[difference]
    difference_2 = n - 2         # line 19
    tape_2 = []
    for i in range(difference_2, -1, -1):  # line 19
        x_part = x[i + 1]  # line 20
        tape_2.append(x_part)
        x[i] = d[i] - c[i] * x_part
    # backward
    rhs_bar = 2.0 * rhs              # line 21
    x_bar = -np.sin(x)
    diagonal_shape = diagonal.shape  # line 19
    c_bar = np.zeros(diagonal_shape)
    d_bar = np.zeros(diagonal_shape)
    for i, x_part in zip(reversed(range(difference_2, -1, -1)), reversed(tape_2)):
        sub_bar = x_bar[i]  # line 20
        x_bar[i] = 0.0
        mul_bar = -sub_bar
        x_bar[i + 1] += rt.mul0(mul_bar, c[i])
        c_bar[i] += rt.mul0(mul_bar, x_part)
        d_bar[i] += sub_bar
    d_bar[difference] += x_bar[difference]  # line 18
    upper_bar = np.zeros(upper.shape)       # line 13
    lower_bar = np.zeros(lower.shape)
    diagonal_bar = np.zeros(diagonal_shape)
    for i, (c_part, m, ratio_3, d_part, ratio_4) in zip(
        reversed(range(1, n)), reversed(tape)
    ):
        lower_part = lower[i]
        difference = i - 1
        truediv_bar = d_bar[i]                   # line 16
        d_bar[i] = 0.0
        sub_bar = rt.div0(truediv_bar, m)
        mul_bar = -sub_bar
        d_bar[difference] -= lower_part * sub_bar
        rhs_bar[i] += sub_bar
        truediv_bar = c_bar[i]                   # line 15
        c_bar[i] = 0.0
        getitem_bar = rt.div0(truediv_bar, m)
        m_bar = rt.mul0(mul_bar, ratio_4) + rt.mul0(-getitem_bar, ratio_3)
        upper_bar[i] += getitem_bar
        c_bar[difference] -= lower_part * m_bar  # line 14
        lower_bar[i] += rt.mul0(mul_bar, d_part) + rt.mul0(-m_bar, c_part)
        diagonal_bar[i] += m_bar
    getitem_bar = rt.div0(d_bar[0], diagonal_part)    # line 12
    rhs_bar[0] += getitem_bar
    getitem_bar_2 = rt.div0(c_bar[0], diagonal_part)  # line 11
    diagonal_bar[0] += rt.mul0(-getitem_bar, ratio_2) + rt.mul0(-getitem_bar_2, ratio)
    upper_bar[0] += getitem_bar_2
    return lower_bar, diagonal_bar, upper_bar, rhs_bar
