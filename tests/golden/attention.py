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
