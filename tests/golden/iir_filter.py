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
"""Derivative of `power` in iir_filter.py: reverse mode, with respect to b, a and x.

For arguments b: f8[b_0], a: f8[a_0], x: f8[x_0].

Written by retrograd 0.2.0 (source 7a99ba79). Change the function, not this file.
"""

import numpy as np


def power_grad(b, a, x):
    # forward
    y = np.zeros_like(x)
    b_length = len(b)
    a_length = len(a)
    tape = []
    for n in range(len(x)):
        tape_2 = []
        for k in range(b_length):
            n_minus_k = n - k
            above = n_minus_k >= 0
            if above:
                b_k = b[k]
                x_part = x[n_minus_k]
                y[n] += b_k * x_part
            else:
                b_k = None
                x_part = None
            tape_2.append((above, b_k, x_part))
        tape_3 = []
        for k in range(1, a_length):
            n_minus_k = n - k
            above_2 = n_minus_k >= 0
            if above_2:
                a_k = a[k]
                y_part = y[n_minus_k]
                y[n] -= a_k * y_part
            else:
                a_k = None
                y_part = None
            tape_3.append((above_2, a_k, y_part))
        ratio = y[n] / a[0]
        tape.append((tape_2, tape_3, ratio))
        y[n] = ratio
    # backward
    # `return np.mean(y ** 2)`
    y_bar = 2.0 * y / x.size
    a_bar = np.zeros(a.shape)
    x_bar = np.zeros(x.shape)
    b_bar = np.zeros(b.shape)
    for n, (tape_2, tape_3, ratio) in zip(reversed(range(len(x))), reversed(tape)):
        # `y[n] /= a[0]`
        getitem_bar = y_bar[n] / a[0]
        y_bar[n] = getitem_bar
        a_bar[0] -= ratio * getitem_bar
        for k, (above_2, a_k, y_part) in zip(
            reversed(range(1, a_length)), reversed(tape_3)
        ):
            if above_2:
                # `y[n] -= a[k] * y[n - k]`
                neg_bar = y_bar[n]
                y_bar[n - k] -= a_k * neg_bar
                a_bar[k] -= neg_bar * y_part
        for k, (above, b_k, x_part) in zip(reversed(range(b_length)), reversed(tape_2)):
            if above:
                # `y[n] += b[k] * x[n - k]`
                mul_bar = y_bar[n]
                x_bar[n - k] += b_k * mul_bar
                b_bar[k] += mul_bar * x_part
    return b_bar, a_bar, x_bar
