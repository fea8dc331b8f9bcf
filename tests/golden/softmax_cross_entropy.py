"""Reductions along an axis with keepdims; the maximum cancels; integer labels pick the terms."""
# differentiate: loss wrt w, b

import numpy as np


def loss(w, b, x, labels):
    z = x @ w + b
    z = z - np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(x.shape[0]), labels])


def arguments():
    rng = np.random.default_rng(2)
    labels = np.array([0, 3, 1, 1, 2])
    return rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(5, 3)), labels


# output
"""Derivative of `loss` in softmax_cross_entropy.py: reverse mode, with respect to w and
b.

For arguments w: f8[w_0, w_1], b: f8[b_0], x: f8[x_0, x_1], labels: i8[labels_0].

Written by retrograd 0.2.0 (source d5c3cd5c). Change the function, not this file.
"""

import numpy as np


def loss_grad(w, b, x, labels):
    # forward
    z = x @ w + b
    z = z - np.max(z, axis=1, keepdims=True)
    exp_z = np.exp(z)
    total = np.sum(exp_z, axis=1, keepdims=True)
    log_p = z - np.log(total)
    arange = np.arange(x.shape[0])
    # backward
    # `return -np.mean(log_p[np.arange(x.shape[0]), labels])`
    log_p_bar = np.zeros(log_p.shape)
    log_p_bar[arange, labels] = -1.0 / log_p[arange, labels].size
    # `log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))`
    log_p_bar -= exp_z * (np.sum(log_p_bar, axis=1, keepdims=True) / total)
    return x.T @ log_p_bar, np.sum(log_p_bar, axis=0)
