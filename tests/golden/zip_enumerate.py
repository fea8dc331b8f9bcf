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
