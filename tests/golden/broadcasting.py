"""A bias row, a column and a scalar meet a matrix: each gradient has its own argument's shape."""
# differentiate: loss wrt bias, scale, offset
# sig: bias: f8[d], scale: f8[n, 1], offset: float, x: f8[n, d]

import numpy as np


def loss(bias, scale, offset, x):
    return np.sum(np.sin(scale * x + bias) * offset + offset**2)


def arguments():
    rng = np.random.default_rng(9)
    return rng.normal(size=3), rng.normal(size=(4, 1)), 0.7, rng.normal(size=(4, 3))
