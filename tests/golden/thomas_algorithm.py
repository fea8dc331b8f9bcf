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
"""Derivative of `energy` in thomas_algorithm.py: reverse mode, with respect to lower,
diagonal, upper and rhs.

For arguments lower: f8[lower_0], diagonal: f8[diagonal_0], upper: f8[upper_0], rhs:
f8[rhs_0].

Written by retrograd 0.2.0 (source 06248151). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(lower, diagonal, upper, rhs):
    # forward
    n = len(diagonal)
    c = np.empty(n)
    d = np.empty(n)
    diagonal_0 = diagonal[0]
    ratio = upper[0] / diagonal_0
    c[0] = ratio
    ratio_2 = rhs[0] / diagonal_0
    d[0] = ratio_2
    tape = []
    for i in range(1, n):
        lower_i = lower[i]
        i_minus_1 = i - 1
        c_part = c[i_minus_1]
        m = diagonal[i] - lower_i * c_part
        ratio_3 = upper[i] / m
        c[i] = ratio_3
        d_part = d[i_minus_1]
        ratio_4 = (rhs[i] - lower_i * d_part) / m
        tape.append((c_part, m, ratio_3, d_part, ratio_4))
        d[i] = ratio_4
    x = np.empty(n)
    n_minus_1 = n - 1
    x[n_minus_1] = d[n_minus_1]
    n_minus_2 = n - 2
    tape_2 = []
    for i in range(n_minus_2, -1, -1):
        x_part = x[i + 1]
        tape_2.append(x_part)
        x[i] = d[i] - c[i] * x_part
    # backward
    # `return np.sum(np.cos(x)) + np.sum(rhs ** 2)`
    rhs_bar = 2.0 * rhs
    x_bar = -np.sin(x)
    c_bar = np.zeros(diagonal.shape)
    d_bar = np.zeros(diagonal.shape)
    for i, x_part in zip(reversed(range(n_minus_2, -1, -1)), reversed(tape_2)):
        # `x[i] = d[i] - c[i] * x[i + 1]`
        sub_bar = x_bar[i]
        x_bar[i] = 0.0
        mul_bar = -sub_bar
        x_bar[i + 1] += rt.mul0(mul_bar, c[i])
        c_bar[i] += rt.mul0(mul_bar, x_part)
        d_bar[i] += sub_bar
    # `x[n - 1] = d[n - 1]`
    d_bar[n_minus_1] += x_bar[n_minus_1]
    upper_bar = np.zeros(upper.shape)
    lower_bar = np.zeros(lower.shape)
    diagonal_bar = np.zeros(diagonal.shape)
    for i, (c_part, m, ratio_3, d_part, ratio_4) in zip(
        reversed(range(1, n)), reversed(tape)
    ):
        lower_i = lower[i]
        i_minus_1 = i - 1
        # `d[i] = (rhs[i] - lower[i] * d[i - 1]) / m`
        truediv_bar = d_bar[i]
        d_bar[i] = 0.0
        sub_bar_2 = rt.div0(truediv_bar, m)
        mul_bar = -sub_bar_2
        d_bar[i_minus_1] -= lower_i * sub_bar_2
        rhs_bar[i] += sub_bar_2
        # `c[i] = upper[i] / m`
        truediv_bar = c_bar[i]
        c_bar[i] = 0.0
        getitem_bar = rt.div0(truediv_bar, m)
        m_bar = rt.mul0(mul_bar, ratio_4) + rt.mul0(-getitem_bar, ratio_3)
        upper_bar[i] += getitem_bar
        # `m = diagonal[i] - lower[i] * c[i - 1]`
        c_bar[i_minus_1] -= lower_i * m_bar
        lower_bar[i] += rt.mul0(mul_bar, d_part) + rt.mul0(-m_bar, c_part)
        diagonal_bar[i] += m_bar
    # `d[0] = rhs[0] / diagonal[0]`
    getitem_bar_2 = rt.div0(d_bar[0], diagonal_0)
    rhs_bar[0] += getitem_bar_2
    # `c[0] = upper[0] / diagonal[0]`
    getitem_bar_3 = rt.div0(c_bar[0], diagonal_0)
    diagonal_bar[0] += rt.mul0(-getitem_bar_2, ratio_2) + rt.mul0(-getitem_bar_3, ratio)
    upper_bar[0] += getitem_bar_3
    return lower_bar, diagonal_bar, upper_bar, rhs_bar
