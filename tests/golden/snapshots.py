"""A long loop with few snapshots: the way back runs it again from the nearest state that was kept."""
# differentiate: final wrt w, h

import numpy as np

import retrograd as rg


def final(w, h, steps):
    for _ in rg.checkpointed(range(steps), snapshots=32):
        h = np.tanh(w @ h)
    return np.sum(h**2)


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=(3, 3)), rng.normal(size=3), 40


# output
"""Derivative of `final` in snapshots.py: reverse mode, with respect to w and h.

For arguments w: f8[w_0, w_1], h: f8[h_0], steps: int.

Written by retrograd 0.2.0 (source 1b85ec39). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def final_grad(w, h, steps):
    # forward
    kept = rt.snapshots(steps, 32)
    for _ in range(steps):
        rt.keep_state(kept, h)
        h = np.tanh(w @ h)
    # backward
    # `return np.sum(h ** 2)`
    h_bar = 2.0 * h
    w_bar = np.zeros(w.shape)
    kept = rt.rewind(kept)
    for k in reversed(range(steps)):
        start, h = rt.restore(kept, k)
        for _ in range(start, k):  # recomputed
            rt.keep_state(kept, h)
            h = np.tanh(w @ h)
        h_2 = np.tanh(w @ h)
        # `h = np.tanh(w @ h)`
        matmul_bar = (1.0 - h_2 * h_2) * h_bar
        h_bar = w.T @ matmul_bar
        w_bar += matmul_bar[:, None] * h
    return w_bar, h_bar
