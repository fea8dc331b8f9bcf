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
"""Derivative of `loss` in attention.py, line 12: reverse mode, with respect to q, k and
v.

For arguments q: f8[q_0, q_1], k: f8[k_0, k_1], v: f8[v_0, v_1].

Written by retrograd 0.1.0 (source 2380da0d). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def softmax_fwd(s):
    peak = np.maximum.reduce(s, axis=-1, keepdims=True)  # line 8
    e = np.exp(s - peak)
    total = np.add.reduce(e, axis=-1, keepdims=True)     # line 9
    ratio = e / total
    saved = total, ratio, e, peak, s
    return ratio, saved


def softmax_rev(saved, result):
    total, ratio, e, peak, s = saved
    e_bar = result / total  # line 9
    e_bar = e_bar - np.add.reduce(ratio * e_bar, axis=1, keepdims=True)
    sub_bar = e * e_bar     # line 8
    return (
        sub_bar
        - rt.share_ties(peak, s, axis=-1, keepdims=True)
            * np.add.reduce(sub_bar, axis=1, keepdims=True)
    )


def loss_grad(q, k, v):
    # forward
    sqrt = np.sqrt(q.shape[1])                        # line 13
    scores = np.einsum("id,jd->ij", q, k) / sqrt
    softmax, softmax_saved = softmax_fwd(scores)      # line 14
    out = np.einsum("ij,jd->id", softmax, v)
    # backward
    out_bar = 2.0 * out                               # line 15
    v_bar = np.einsum("id,ij->jd", out_bar, softmax)  # line 14
    scores_bar = softmax_rev(softmax_saved, np.einsum("id,jd->ij", out_bar, v))
    einsum_bar = scores_bar / sqrt                    # line 13
    k_bar = np.einsum("ij,id->jd", einsum_bar, q)
    q_bar = np.einsum("ij,jd->id", einsum_bar, k)
    return q_bar, k_bar, v_bar
