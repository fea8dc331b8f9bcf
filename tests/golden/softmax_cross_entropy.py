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
