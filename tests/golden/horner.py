"""A polynomial by Horner's scheme, its coefficients run through backwards."""
# differentiate: polynomial wrt c, x

import numpy as np


def polynomial(c, x):
    y = 0.0
    for c_k in c[::-1]:
        y = y * x + c_k
    return y


def arguments():
    return np.array([0.5, -1.0, 2.0, 0.3]), 1.4


# output
"""Derivative of `polynomial` in horner.py: reverse mode, with respect to c and x.

For arguments c: f8[c_0], x: float.

Written by retrograd 0.2.0 (source ac2de360). Change the function, not this file.
"""

import numpy as np


def polynomial_grad(c, x):
    # forward
    c_part = c[::-1]
    y = 0.0
    tape = []
    for c_k in c_part:
        tape.append(y)
        y = y * x + c_k
    # backward
    getitem_bar = np.zeros(c.shape)
    y_bar = 1.0
    x_bar = 0.0
    for k, y in zip(reversed(range(len(c_part))), reversed(tape)):
        # `y = y * x + c_k`
        y_bar_2 = y_bar * x
        x_bar += y * y_bar
        getitem_bar[k] = y_bar
        y_bar = y_bar_2
    c_bar = np.zeros(c.shape)
    c_bar[::-1] = getitem_bar
    return c_bar, float(x_bar)
