"""Loops over zip and enumerate of arrays."""
# differentiate: weighted wrt x, w

import numpy as np


def weighted(x, w, centres):
    total = 0.0
    for k, (w_k, c_k) in enumerate(zip(w, centres)):
        total = total + w_k * np.sum((x - c_k) ** 2) / (k + 1)
    return total


def arguments():
    rng = np.random.default_rng(5)
    return rng.normal(size=3), np.array([0.2, 0.5, 0.3, 0.9]), rng.normal(size=4)


# output
"""Derivative of `weighted` in zip_enumerate.py: reverse mode, with respect to x and w.

For arguments x: f8[x_0], w: f8[w_0], centres: f8[centres_0].

Written by retrograd 0.2.0 (source 469287b3). Change the function, not this file.
"""

import numpy as np


def weighted_grad(x, w, centres):
    x_bar = np.zeros(x.shape)
    w_bar = np.zeros(w.shape)
    for k in range(min(len(w), len(centres))):
        c_k = centres[k]
        x_minus_c_k = x - c_k
        w_k = w[k]
        k_plus_1 = k + 1
        # `total = total + w_k * np.sum((x - c_k) ** 2) / (k + 1)`
        w_k_bar = np.sum(x_minus_c_k**2) / k_plus_1
        x_bar += 2.0 * x_minus_c_k * (w_k / k_plus_1)
        w_bar[k] = w_k_bar
    return x_bar, w_bar
