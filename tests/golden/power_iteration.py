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
"""Derivative of `largest` in power_iteration.py: reverse mode, with respect to A.

For arguments A: f8[A_0, A_1], steps: int.

Written by retrograd 0.2.0 (source 7b749de3). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def largest_grad(A, steps):
    # forward
    v = np.ones(A.shape[0]) / np.sqrt(A.shape[0])
    tape = []
    for _ in range(steps):
        v_prev = v
        w = A @ v
        norm_w = np.linalg.norm(w)
        v = w / norm_w
        tape.append((v_prev, w, norm_w))
    # backward
    # `return v @ A @ v`
    A_bar = v[:, None] * v
    v_bar = v @ A + A @ v
    for v_prev, w, norm_w in reversed(tape):
        # `v = w / np.linalg.norm(w)`
        w_bar = (v_bar - rt.norm_weight(norm_w, w) * w * np.sum(v * v_bar)) / norm_w
        # `w = A @ v`
        v_bar = A.T @ w_bar
        A_bar += w_bar[:, None] * v_prev
        v = v_prev
    return A_bar
