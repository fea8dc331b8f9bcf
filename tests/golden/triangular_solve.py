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
"""Derivative of `solved` in triangular_solve.py: reverse mode, with respect to L and b.

For arguments L: f8[L_0, L_1], b: f8[b_0].

Written by retrograd 0.2.0 (source d6c63e37). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def solved_grad(L, b):
    # forward
    copy_b = b.copy()
    x = copy_b
    tape = []
    for i in range(len(copy_b)):
        x_part = x[:i]
        ratio = (x[i] - L[i, :i] @ x_part) / L[i, i]
        parts = x_part.copy(), ratio
        tape.append(parts)
        x[i] = ratio
    # backward
    # `return np.sum(np.exp(x)) + np.sum(b ** 2)`
    b_bar = 2.0 * b
    L_bar = np.zeros(L.shape)
    x_bar = np.exp(x)
    for i, (x_part, ratio) in zip(reversed(range(len(copy_b))), reversed(tape)):
        # `x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]`
        sub_bar = rt.div0(x_bar[i], L[i, i])
        L_bar[i, i] += rt.mul0(-sub_bar, ratio)
        L_bar[i, :i] -= sub_bar * x_part
        x_bar[i] = sub_bar
        x_bar[:i] -= L[i, :i] * sub_bar
    # `x = b.copy()`
    b_bar += x_bar
    return L_bar, b_bar
