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
"""Derivative of `loss` in masked_attention.py: reverse mode, with respect to x, Wq, Wk
and Wv.

For arguments x: f8[x_0, x_1], Wq: f8[Wq_0, Wq_1], Wk: f8[Wk_0, Wk_1], Wv: f8[Wv_0,
Wv_1], heads: int.

Written by retrograd 0.2.0 (source 1c53ed09). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(x, Wq, Wk, Wv, heads):
    # forward
    n, d = x.shape
    size = d // heads
    x_Wq = x @ Wq
    q = x_Wq.reshape(n, heads, size).transpose(1, 0, 2)
    x_Wk = x @ Wk
    k = x_Wk.reshape(n, heads, size).transpose(1, 0, 2)
    x_Wv = x @ Wv
    v = x_Wv.reshape(n, heads, size).transpose(1, 0, 2)
    transpose_k = k.transpose(0, 2, 1)
    product = q @ transpose_k
    sqrt_size = np.sqrt(size)
    scores = product / sqrt_size
    ahead = np.triu(np.ones((n, n), dtype=bool), 1)
    scores_2 = np.where(ahead, -1000000000.0, scores)
    weights = np.exp(scores_2 - scores_2.max(axis=-1, keepdims=True))
    total = weights.sum(axis=-1, keepdims=True)
    weights_2 = weights / total
    transpose = (weights_2 @ v).transpose(1, 0, 2)
    out = transpose.reshape(n, d)
    # backward
    # `return np.mean((out - x) ** 2)`
    sub_bar = 2.0 * (out - x) / x.size
    # `out = (weights @ v).transpose(1, 0, 2).reshape(n, d)`
    inverse_axes = rt.inverse_axes(rt.one_tuple((1, 0, 2)), 3)
    matmul_bar = np.transpose(rt.reshape_like(sub_bar, like=transpose), inverse_axes)
    v_bar = rt.matmul_pull_right(matmul_bar, weights_2, like=v)
    weights_bar = rt.matmul_pull_left(matmul_bar, v, like=weights_2)
    # `weights = weights / weights.sum(axis=-1, keepdims=True)`
    sum_bar_part = weights_bar / total
    weights_bar = rt.unbroadcast(sum_bar_part, weights)
    sum_bar_part_2 = rt.unbroadcast(weights_2 * sum_bar_part, total)
    weights_bar = weights_bar + rt.stretch(-sum_bar_part_2, weights)
    # `weights = np.exp(scores - scores.max(axis=-1, keepdims=True))`
    scores_bar = rt.unbroadcast(weights * weights_bar, scores_2)
    # `scores = np.where(ahead, -1000000000.0, scores)`
    scores_bar = rt.unbroadcast(np.where(ahead, 0.0, scores_bar), scores)
    # `scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)`
    matmul_bar_2 = rt.unbroadcast(rt.div0(scores_bar, sqrt_size), product)
    transpose_bar = rt.matmul_pull_right(matmul_bar_2, q, like=transpose_k)
    q_bar = rt.matmul_pull_left(matmul_bar_2, transpose_k, like=q)
    k_bar = np.transpose(transpose_bar, rt.inverse_axes(rt.one_tuple((0, 2, 1)), 3))
    # `v = (x @ Wv).reshape(n, heads, size).transpose(1, 0, 2)`
    matmul_bar_3 = rt.reshape_like(np.transpose(v_bar, inverse_axes), like=x_Wv)
    Wv_bar = x.T @ matmul_bar_3
    # `k = (x @ Wk).reshape(n, heads, size).transpose(1, 0, 2)`
    matmul_bar_4 = rt.reshape_like(np.transpose(k_bar, inverse_axes), like=x_Wk)
    Wk_bar = x.T @ matmul_bar_4
    # `q = (x @ Wq).reshape(n, heads, size).transpose(1, 0, 2)`
    matmul_bar_5 = rt.reshape_like(np.transpose(q_bar, inverse_axes), like=x_Wq)
    Wq_bar = x.T @ matmul_bar_5
    x_bar = matmul_bar_3 @ Wv.T - sub_bar + matmul_bar_4 @ Wk.T + matmul_bar_5 @ Wq.T
    return x_bar, Wq_bar, Wk_bar, Wv_bar
