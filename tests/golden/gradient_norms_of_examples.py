"""A penalty on the gradient of each example: per-example gradients, differentiated once more."""
# differentiate: penalty wrt w

import numpy as np

import retrograd as rg


def loss(w, x, y):
    return 0.5 * (np.tanh(x @ w) - y) ** 2


def penalty(w, xs, ys):
    slopes = rg.vmap(rg.grad(loss), in_axes=(None, 0, 0))(w, xs, ys)
    return np.sum(slopes**2)


def arguments():
    rng = np.random.default_rng(4)
    return rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=5)


# output
"""Derivative of `penalty` in gradient_norms_of_examples.py: reverse mode, with respect
to w.

For arguments w: f8[w_0], xs: f8[xs_0, xs_1], ys: f8[ys_0].

Written by retrograd 0.2.0 (source e57760fc). Change the function, not this file.
"""

import numpy as np


def penalty_grad(w, xs, ys):
    # forward
    tanh = np.tanh(xs @ w)
    difference = tanh - ys
    # backward
    # `slopes = rg.vmap(rg.grad(loss), in_axes=(None, 0, 0))(w, xs, ys)`
    difference_2 = 1.0 - tanh * tanh
    matmul_bar = difference_2 * difference
    w_bar = xs * matmul_bar[:, None]
    # `return np.sum(slopes ** 2)`
    w_bar_bar = 2.0 * w_bar
    # `slopes = rg.vmap(rg.grad(loss), in_axes=(None, 0, 0))(w, xs, ys)`
    matmul_bar_bar = np.zeros(matmul_bar.shape)
    matmul_bar_bar += np.sum(xs * w_bar_bar, axis=1)
    tanh_bar = -2.0 * (matmul_bar_bar * difference) * tanh
    return xs.T @ (difference_2 * (tanh_bar + difference_2 * matmul_bar_bar))
