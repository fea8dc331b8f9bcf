"""Straight-line NumPy: matrix times vector, elementary functions, a mean."""
# differentiate: loss wrt w
# sig: w: f8[d], x: f8[n, d], y: f8[n]

import numpy as np


def loss(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def arguments():
    rng = np.random.default_rng(0)
    return rng.normal(size=3), rng.normal(size=(5, 3)), np.array([1.0, 0.0, 1.0, 1.0, 0.0])


# output
"""Derivative of `loss` in logistic_regression.py: reverse mode, with respect to w.

For arguments w: f8[d], x: f8[n, d], y: f8[n].

Written by retrograd 0.2.0 (source ba51be59). Change the function, not this file.
"""

import numpy as np


def loss_grad(w, x, y):
    # forward
    p = 1 / (1 + np.exp(-(x @ w)))
    # backward
    return x.T @ ((p - y) / y.size)
