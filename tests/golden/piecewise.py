"""Piecewise functions without branches: maximum, minimum, where, abs and clip."""
# differentiate: loss wrt x, knee

import numpy as np


def loss(x, knee):
    hinge = np.maximum(x - knee, 0.0)
    soft = np.where(x > knee, knee * np.abs(x), x**2)
    return np.sum(hinge * np.minimum(x, 2.0)) + np.sum(soft) + np.sum(np.clip(x, -1, 1) ** 3)


def arguments():
    return np.array([-1.6, -0.4, 0.3, 1.2, 2.7]), 0.5
