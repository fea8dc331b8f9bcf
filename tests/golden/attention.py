"""Attention with einsum: queries meet keys, a softmax weighs the values."""
# differentiate: loss wrt q, k, v

import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def loss(q, k, v):
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(q.shape[1])
    out = np.einsum("ij,jd->id", softmax(scores), v)
    return np.sum(out**2)


def arguments():
    rng = np.random.default_rng(10)
    return rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))


# output
"""Derivative of `loss` in attention.py: reverse mode, with respect to q, k and v.

For arguments q: f8[q_0, q_1], k: f8[k_0, k_1], v: f8[v_0, v_1].

Written by retrograd 0.2.0 (source 2380da0d). Change the function, not this file.
"""

import numpy as np


def softmax_fwd(s):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    ratio = e / np.sum(e, axis=-1, keepdims=True)
    saved = (ratio,)
    return ratio, saved


def softmax_rev(saved, result):
    (ratio,) = saved
    return ratio * (result - np.sum(ratio * result, axis=1, keepdims=True))


def loss_grad(q, k, v):
    # forward
    sqrt = np.sqrt(q.shape[1])
    scores = np.einsum("id,jd->ij", q, k) / sqrt
    softmax, softmax_saved = softmax_fwd(scores)
    out = np.einsum("ij,jd->id", softmax, v)
    # backward
    # `return np.sum(out ** 2)`
    out_bar = 2.0 * out
    # `out = np.einsum('ij,jd->id', softmax(scores), v)`
    v_bar = np.einsum("id,ij->jd", out_bar, softmax)
    scores_bar = softmax_rev(softmax_saved, np.einsum("id,jd->ij", out_bar, v))
    # `scores = np.einsum('id,jd->ij', q, k) / np.sqrt(q.shape[1])`
    einsum_bar = scores_bar / sqrt
    k_bar = np.einsum("ij,id->jd", einsum_bar, q)
    q_bar = np.einsum("ij,jd->id", einsum_bar, k)
    return q_bar, k_bar, v_bar
