"""A for loop that carries a vector: its states are kept for the way back."""
# differentiate: final wrt w, h

import numpy as np


def final(w, h, steps):
    for _ in range(steps):
        h = np.tanh(w @ h)
    return np.sum(h**2)


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=(3, 3)), rng.normal(size=3), 4


# output
"""Derivative of `final` in recurrence.py: reverse mode, with respect to w and h.

For arguments w: f8[w_0, w_1], h: f8[h_0], steps: int.

Written by retrograd 0.2.0 (source 7a86778d). Change the function, not this file.
"""

import numpy as np


def final_grad(w, h, steps):
    # forward
    tape = []
    for _ in range(steps):
        tape.append(h)
        h = np.tanh(w @ h)
    # backward
    # `return np.sum(h ** 2)`
    h_bar = 2.0 * h
    w_bar = np.zeros(w.shape)
    for h_2 in reversed(tape):
        # `h = np.tanh(w @ h)`
        matmul_bar = (1.0 - h * h) * h_bar
        h_bar = w.T @ matmul_bar
        w_bar += matmul_bar[:, None] * h_2
        h = h_2
    return w_bar, h_bar
