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
"""Derivative of `weighted` in zip_enumerate.py, line 7: reverse mode, with respect to x
and w.

For arguments x: f8[x_0], w: f8[w_0], centres: f8[centres_0].

Written by retrograd 0.1.0 (source 469287b3). Change the function, not this file.
"""

import numpy as np


def weighted_grad(x, w, centres):
    x_bar = np.zeros(x.shape)  # line 9
    w_bar = np.zeros(w.shape)
    for k in range(min(len(w), len(centres))):  # line 9
        c_k = centres[k]
        difference = x - c_k  # line 10
        w_k = w[k]
        total = k + 1
        w_k_bar = np.add.reduce(difference ** 2) / total
        x_bar += 2.0 * difference * (w_k / total)
        w_bar[k] = w_k_bar
    return x_bar, w_bar
