"""A helper of which only the arguments are kept: its adjoint runs it again."""
# differentiate: loss wrt w

import numpy as np

import retrograd as rg


@rg.checkpoint
def block(h, w):
    a = np.tanh(w @ h)
    return a * h + np.sin(a)


def loss(w, h, layers):
    for _ in range(layers):
        h = block(h, w)
    return np.sum(h)


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=(3, 3)), rng.normal(size=3), 3


# output
"""Derivative of `loss` in checkpointed_helper.py: reverse mode, with respect to w.

For arguments w: f8[w_0, w_1], h: f8[h_0], layers: int.

Written by retrograd 0.2.0 (source 4bd12749). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def block(h, w):
    a = np.tanh(w @ h)
    return a * h + np.sin(a)


def block_adjoint(h, w, result):
    # forward
    a = np.tanh(w @ h)
    # backward
    # `return a * h + np.sin(a)`
    a_bar = (np.cos(a) + h) * result
    # `a = np.tanh(w @ h)`
    matmul_bar = (1.0 - a * a) * a_bar
    w_bar = matmul_bar[:, None] * h
    h_bar = a * result + w.T @ matmul_bar
    return h_bar, w_bar


def loss_grad(w, h, layers):
    # forward
    tape = []
    for _ in range(layers):
        tape.append(h)
        h = block(h, w)
    # backward
    w_bar = np.zeros(w.shape)
    h_bar = rt.stretch(1.0, h)
    for h in reversed(tape):
        # `h = block(h, w)`
        h_bar, w_bar_2 = block_adjoint(h, w, h_bar)
        w_bar += w_bar_2
    return w_bar
