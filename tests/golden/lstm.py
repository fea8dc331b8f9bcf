"""A long short-term memory cell run over a sequence."""
# differentiate: loss wrt W, b

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cell(W, b, x, h, c):
    z = W @ np.concatenate([x, h]) + b
    i, f, o, g = np.split(z, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    h = sigmoid(o) * np.tanh(c)
    return h, c


def loss(W, b, xs, target):
    n = len(b) // 4
    h, c = np.zeros(n), np.zeros(n)
    for x in xs:
        h, c = cell(W, b, x, h, c)
    return np.sum((h - target) ** 2)


def arguments():
    rng = np.random.default_rng(22)
    return rng.normal(size=(8, 5)), rng.normal(size=8), rng.normal(size=(3, 3)), np.ones(2)


# output
"""Derivative of `loss` in lstm.py: reverse mode, with respect to W and b.

For arguments W: f8[W_0, W_1], b: f8[b_0], xs: f8[xs_0, xs_1], target: f8[target_0].

Written by retrograd 0.2.0 (source 8af34ad5). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def cell_fwd(W, b, x, h, c):
    concatenate = np.concatenate([x, h])
    z = W @ concatenate + b
    i, f, o, g = np.split(z, 4)
    ratio = 1 / (1 + np.exp(-f))
    product = ratio * c
    ratio_2 = 1 / (1 + np.exp(-i))
    tanh_g = np.tanh(g)
    product_2 = ratio_2 * tanh_g
    c_2 = product + product_2
    ratio_3 = 1 / (1 + np.exp(-o))
    tanh_c = np.tanh(c_2)
    h_2 = ratio_3 * tanh_c
    saved = (
        ratio_3,
        tanh_c,
        product,
        product_2,
        ratio_2,
        tanh_g,
        ratio,
        c,
        z,
        W,
        concatenate,
        x,
        h,
    )
    return h_2, c_2, saved


def cell_rev(saved, result, result_2):
    (
        ratio,
        tanh_c,
        product,
        product_2,
        ratio_2,
        tanh_g,
        ratio_3,
        c,
        z,
        W,
        concatenate,
        x,
        h,
    ) = saved
    # `h = sigmoid(o) * np.tanh(c)`
    c_bar = result_2 + (1.0 - tanh_c * tanh_c) * rt.unbroadcast(ratio * result, tanh_c)
    o_bar = rt.unbroadcast(result * tanh_c, ratio) * ratio * (1.0 - ratio)
    # `c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)`
    mul_bar = rt.unbroadcast(c_bar, product)
    mul_bar_2 = rt.unbroadcast(c_bar, product_2)
    g_bar = (1.0 - tanh_g * tanh_g) * rt.unbroadcast(ratio_2 * mul_bar_2, tanh_g)
    i_bar = rt.unbroadcast(mul_bar_2 * tanh_g, ratio_2) * ratio_2 * (1.0 - ratio_2)
    c_bar = rt.unbroadcast(ratio_3 * mul_bar, c)
    f_bar = rt.unbroadcast(mul_bar * c, ratio_3) * ratio_3 * (1.0 - ratio_3)
    # `i, f, o, g = np.split(z, 4)`
    z_bar = rt.unsplit([i_bar, f_bar, o_bar, g_bar], z, 4)
    # `z = W @ np.concatenate([x, h]) + b`
    W_bar = z_bar[:, None] * concatenate
    zeros = np.zeros(x.shape)
    h_bar = rt.split_like(W.T @ z_bar, like=[zeros, h])[1]
    return W_bar, z_bar, h_bar, c_bar


def loss_grad(W, b, xs, target):
    # forward
    n = len(b) // 4
    h = np.zeros(n)
    c = np.zeros(n)
    tape = []
    for x in xs:
        h, c, cell_saved = cell_fwd(W, b, x, h, c)
        tape.append(cell_saved)
    # backward
    # `return np.sum((h - target) ** 2)`
    h_bar = rt.unbroadcast(2.0 * (h - target), h)
    W_bar = np.zeros(W.shape)
    b_bar = np.zeros(b.shape)
    c_bar = np.zeros(c.shape)
    for cell_saved in reversed(tape):
        # `h, c = cell(W, b, x, h, c)`
        W_bar_2, b_bar_2, h_bar, c_bar = cell_rev(cell_saved, h_bar, c_bar)
        W_bar += W_bar_2
        b_bar += b_bar_2
    return W_bar, b_bar
