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
"""Derivative of `loss` in lstm.py, line 19: reverse mode, with respect to W and b.

For arguments W: f8[W_0, W_1], b: f8[b_0], xs: f8[xs_0, xs_1], target: f8[target_0].

Written by retrograd 0.1.0 (source 8af34ad5). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def cell_fwd(W, b, x, h, c):
    concatenate = np.concatenate([x, h])  # line 12
    z = W @ concatenate + b
    split_z = np.split(z, 4)              # line 13
    i = split_z[0]
    f = split_z[1]
    o = split_z[2]
    g = split_z[3]
    exp = np.exp(-f)                      # line 14
    ratio = 1 / (1 + exp)
    product = ratio * c
    exp_2 = np.exp(-i)
    ratio_2 = 1 / (1 + exp_2)
    tanh_g = np.tanh(g)
    product_2 = ratio_2 * tanh_g
    c_2 = product + product_2
    exp_3 = np.exp(-o)                    # line 15
    ratio_3 = 1 / (1 + exp_3)
    tanh_c = np.tanh(c_2)
    h_2 = ratio_3 * tanh_c
    saved = (
        ratio_3,
        tanh_c,
        exp_3,
        product,
        product_2,
        ratio_2,
        tanh_g,
        exp_2,
        ratio,
        c,
        exp,
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
        exp,
        product,
        product_2,
        ratio_2,
        tanh_g,
        exp_2,
        ratio_3,
        c,
        exp_3,
        z,
        W,
        concatenate,
        x,
        h,
    ) = saved
    # line 15
    c_bar = result_2 + (1.0 - tanh_c * tanh_c) * rt.unbroadcast(ratio * result, tanh_c)
    o_bar = exp * (ratio * (rt.unbroadcast(result * tanh_c, ratio) * ratio))
    mul_bar = rt.unbroadcast(c_bar, product)                # line 14
    mul_bar_2 = rt.unbroadcast(c_bar, product_2)
    g_bar = (1.0 - tanh_g * tanh_g) * rt.unbroadcast(ratio_2 * mul_bar_2, tanh_g)
    i_bar = exp_2 * (ratio_2 * (rt.unbroadcast(mul_bar_2 * tanh_g, ratio_2) * ratio_2))
    c_bar = rt.unbroadcast(ratio_3 * mul_bar, c)
    f_bar = exp_3 * (ratio_3 * (rt.unbroadcast(mul_bar * c, ratio_3) * ratio_3))
    z_bar = rt.unsplit([i_bar, f_bar, o_bar, g_bar], z, 4)  # line 13
    W_bar = z_bar[:, None] * concatenate                    # line 12
    zeros = np.zeros(x.shape)
    h_bar = rt.split_like(W.T @ z_bar, like=[zeros, h])[1]
    return W_bar, z_bar, h_bar, c_bar


def loss_grad(W, b, xs, target):
    # forward
    n = len(b) // 4  # line 20
    h = np.zeros(n)  # line 21
    c = np.zeros(n)
    tape = []
    for x in xs:  # line 22
        h, c, cell_saved = cell_fwd(W, b, x, h, c)  # line 23
        tape.append(cell_saved)
    # backward
    h_bar = rt.unbroadcast(2.0 * (h - target), h)  # line 24
    W_bar = np.zeros(W.shape)                      # line 22
    b_bar = np.zeros(b.shape)
    c_bar = np.zeros(c.shape)
    for cell_saved in reversed(tape):
        W_bar_2, b_bar_2, h_bar, c_bar = cell_rev(cell_saved, h_bar, c_bar)  # line 23
        W_bar += W_bar_2
        b_bar += b_bar_2
    return W_bar, b_bar
