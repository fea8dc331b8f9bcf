"""Forward substitution that overwrites its right hand side."""
# differentiate: solved wrt L, b

import numpy as np


def solved(L, b):
    x = b.copy()
    for i in range(len(x)):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(np.exp(x)) + np.sum(b**2)


def arguments():
    rng = np.random.default_rng(3)
    return np.tril(rng.normal(size=(4, 4))) + 3 * np.eye(4), rng.normal(size=4)


# output
"""Derivative of `solved` in triangular_solve.py, line 7: reverse mode, with respect to
L and b.

For arguments L: f8[L_0, L_1], b: f8[b_0].

Written by retrograd 0.1.0 (source d6c63e37). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def solved_grad(L, b):
    # forward
    x = b.copy()       # line 8
    x_length = len(x)  # line 9
    tape = []
    for i in range(x_length):  # line 9
        x_part = x[:i]  # line 10
        ratio = (x[i] - L[i, :i] @ x_part) / L[i, i]
        parts = x_part.copy(), ratio
        tape.append(parts)
        x[i] = ratio
    # backward
    b_bar = 2.0 * b            # line 11
    L_bar = np.zeros(L.shape)  # line 9
    x_bar = np.exp(x)
    for i, (x_part, ratio) in zip(reversed(range(x_length)), reversed(tape)):
        truediv_bar = x_bar[i]  # line 10
        x_bar[i] = 0.0
        sub_bar = rt.div0(truediv_bar, L[i, i])
        L_bar[i, i] += rt.mul0(-sub_bar, ratio)
        x_bar[:i] -= L[i, :i] * sub_bar
        L_bar[i, :i] -= sub_bar * x_part
        x_bar[i] += sub_bar
    b_bar += x_bar  # line 8
    return L_bar, b_bar
