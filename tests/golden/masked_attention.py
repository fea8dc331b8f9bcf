"""Causal attention with several heads: what lies ahead is masked."""
# differentiate: loss wrt x, Wq, Wk, Wv

import numpy as np


def loss(x, Wq, Wk, Wv, heads):
    n, d = x.shape
    size = d // heads
    q = (x @ Wq).reshape(n, heads, size).transpose(1, 0, 2)
    k = (x @ Wk).reshape(n, heads, size).transpose(1, 0, 2)
    v = (x @ Wv).reshape(n, heads, size).transpose(1, 0, 2)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
    ahead = np.triu(np.ones((n, n), dtype=bool), 1)
    scores = np.where(ahead, -1e9, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(1, 0, 2).reshape(n, d)
    return np.mean((out - x) ** 2)


def arguments():
    rng = np.random.default_rng(23)
    return rng.normal(size=(3, 4)), *rng.normal(size=(3, 4, 4)), 2


# output
"""Derivative of `loss` in masked_attention.py, line 7: reverse mode, with respect to x,
Wq, Wk and Wv.

For arguments x: f8[x_0, x_1], Wq: f8[Wq_0, Wq_1], Wk: f8[Wk_0, Wk_1], Wv: f8[Wv_0,
Wv_1], heads: int.

Written by retrograd 0.1.0 (source 1c53ed09). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(x, Wq, Wk, Wv, heads):
    # forward
    n, d = x.shape
    size = d // heads                                       # line 9
    product = x @ Wq                                        # line 10
    q = product.reshape(n, heads, size).transpose(1, 0, 2)
    product_2 = x @ Wk                                      # line 11
    k = product_2.reshape(n, heads, size).transpose(1, 0, 2)
    product_3 = x @ Wv                                      # line 12
    v = product_3.reshape(n, heads, size).transpose(1, 0, 2)
    transpose_k = k.transpose(0, 2, 1)                      # line 13
    product_4 = q @ transpose_k
    sqrt_size = np.sqrt(size)
    scores = product_4 / sqrt_size
    ahead = np.triu(np.ones((n, n), dtype=bool), 1)         # line 14
    scores_2 = np.where(ahead, -1000000000.0, scores)       # line 15
    peak = scores_2.max(axis=-1, keepdims=True)             # line 16
    weights = np.exp(scores_2 - peak)
    total = weights.sum(axis=-1, keepdims=True)             # line 17
    weights_2 = weights / total
    transpose = (weights_2 @ v).transpose(1, 0, 2)          # line 18
    out = transpose.reshape(n, d)
    # backward
    sub_bar = 2.0 * (out - x) * (1.0 / x.size)              # line 19
    inverse_axes = rt.inverse_axes(rt.one_tuple((1, 0, 2)), 3)  # line 18
    matmul_bar = np.transpose(rt.reshape_like(sub_bar, like=transpose), inverse_axes)
    v_bar = rt.matmul_pull_right(matmul_bar, weights_2, like=v)
    weights_bar = rt.matmul_pull_left(matmul_bar, v, like=weights_2)
    ratio = weights_bar / total                             # line 17
    weights_bar = rt.unbroadcast(ratio, weights) + rt.stretch(
        -rt.unbroadcast(weights_2 * ratio, total), weights
    )
    sub_bar_2 = weights * weights_bar                       # line 16
    scores_bar = (
        rt.unbroadcast(sub_bar_2, scores_2)
        + rt.share_ties(peak, scores_2, axis=-1, keepdims=True)
            * rt.stretch(-rt.unbroadcast(sub_bar_2, peak), scores_2)
    )
    scores_bar = rt.unbroadcast(np.where(ahead, 0.0, scores_bar), scores)  # line 15
    matmul_bar = rt.unbroadcast(rt.div0(scores_bar, sqrt_size), product_4)  # line 13
    q_bar = rt.matmul_pull_left(matmul_bar, transpose_k, like=q)
    k_bar = np.transpose(
        rt.matmul_pull_right(matmul_bar, q, like=transpose_k),
        rt.inverse_axes(rt.one_tuple((0, 2, 1)), 3),
    )
    # line 12
    matmul_bar = rt.reshape_like(np.transpose(v_bar, inverse_axes), like=product_3)
    x_T = x.T
    Wv_bar = x_T @ matmul_bar
    # line 11
    matmul_bar_2 = rt.reshape_like(np.transpose(k_bar, inverse_axes), like=product_2)
    Wk_bar = x_T @ matmul_bar_2
    # line 10
    matmul_bar_3 = rt.reshape_like(np.transpose(q_bar, inverse_axes), like=product)
    Wq_bar = x_T @ matmul_bar_3
    x_bar = matmul_bar @ Wv.T - sub_bar + matmul_bar_2 @ Wk.T + matmul_bar_3 @ Wq.T
    return x_bar, Wq_bar, Wk_bar, Wv_bar
