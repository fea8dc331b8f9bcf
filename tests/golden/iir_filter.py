"""A biquad filter in direct form, sample by sample."""
# differentiate: power wrt b, a, x

import numpy as np


def power(b, a, x):
    y = np.zeros_like(x)
    for n in range(len(x)):
        for k in range(len(b)):
            if n - k >= 0:
                y[n] += b[k] * x[n - k]
        for k in range(1, len(a)):
            if n - k >= 0:
                y[n] -= a[k] * y[n - k]
        y[n] /= a[0]
    return np.mean(y**2)


def arguments():
    b, a = np.array([0.2, 0.4, 0.2]), np.array([1.1, -0.5, 0.3])
    return b, a, np.array([1.0, 0.0, -1.0, 0.5, 0.2])


# output
"""Derivative of `power` in iir_filter.py, line 7: reverse mode, with respect to b, a
and x.

For arguments b: f8[b_0], a: f8[a_0], x: f8[x_0].

Written by retrograd 0.1.0 (source 7a99ba79). Change the function, not this file.
"""

import numpy as np


def power_grad(b, a, x):
    # forward
    y = np.zeros_like(x)  # line 8
    x_length = len(x)     # line 9
    b_length = len(b)     # line 10
    a_length = len(a)     # line 13
    tape = []
    for n in range(x_length):  # line 9
        tape_2 = []
        for k in range(b_length):  # line 10
            difference = n - k  # line 11
            above = difference >= 0
            if above:
                b_part = b[k]  # line 12
                x_part = x[difference]
                y[n] += b_part * x_part
            else:
                b_part = None
                x_part = None
            tape_2.append((above, b_part, x_part))
        tape_3 = []
        for k in range(1, a_length):  # line 13
            difference = n - k  # line 14
            above = difference >= 0
            if above:
                a_part = a[k]  # line 15
                y_part = y[difference]
                y[n] -= a_part * y_part
            else:
                a_part = None
                y_part = None
            tape_3.append((above, a_part, y_part))
        ratio = y[n] / a[0]  # line 16
        tape.append((tape_2, tape_3, ratio))
        y[n] = ratio
    # backward
    y_bar = 2.0 * y * (1.0 / x.size)  # line 17
    a_bar = np.zeros(a.shape)         # line 9
    x_bar = np.zeros(x.shape)
    b_bar = np.zeros(b.shape)
    for n, (tape_2, tape_3, ratio) in zip(reversed(range(x_length)), reversed(tape)):
        getitem_bar = y_bar[n] / a[0]  # line 16
        y_bar[n] = getitem_bar
        a_bar[0] -= ratio * getitem_bar
        for k, (above, a_part, y_part) in zip(
            reversed(range(1, a_length)), reversed(tape_3)
        ):
            if above:  # line 14
                neg_bar = y_bar[n]  # line 15
                y_bar[n - k] -= a_part * neg_bar
                a_bar[k] -= neg_bar * y_part
        for k, (above, b_part, x_part) in zip(
            reversed(range(b_length)), reversed(tape_2)
        ):
            if above:  # line 11
                mul_bar = y_bar[n]  # line 12
                x_bar[n - k] += b_part * mul_bar
                b_bar[k] += mul_bar * x_part
    return b_bar, a_bar, x_bar
