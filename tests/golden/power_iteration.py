"""The largest eigenvalue by power iteration."""
# differentiate: largest wrt A

import numpy as np


def largest(A, steps):
    v = np.ones(A.shape[0]) / np.sqrt(A.shape[0])
    for _ in range(steps):
        w = A @ v
        v = w / np.linalg.norm(w)
    return v @ A @ v


def arguments():
    m = np.random.default_rng(7).normal(size=(3, 3))
    return m @ m.T + np.eye(3), 6


# output
"""Derivative of `largest` in power_iteration.py, line 7: reverse mode, with respect to
A.

For arguments A: f8[A_0, A_1], steps: int.

Written by retrograd 0.1.0 (source 7b749de3). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def largest_grad(A, steps):
    # forward
    part = A.shape[0]  # line 8
    v = np.ones(part) / np.sqrt(part)
    tape = []
    for _ in range(steps):  # line 9
        w = A @ v                   # line 10
        norm_w = np.linalg.norm(w)  # line 11
        v_2 = w / norm_w
        tape.append((v, w, norm_w))
        v = v_2
    # backward
    A_bar = v[:, None] * v  # line 12
    v_bar = v @ A + A @ v
    for v_2, w, norm_w in reversed(tape):
        w_bar = v_bar / norm_w  # line 11
        w_bar = w_bar - rt.norm_weight(norm_w, w) * w * np.add.reduce(v * w_bar)
        v_bar = A.T @ w_bar     # line 10
        A_bar += w_bar[:, None] * v_2
        v = v_2
    return A_bar
