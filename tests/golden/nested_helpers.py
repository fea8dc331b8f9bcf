"""Helpers that call helpers; each gets a pair of its own or is inlined."""
# differentiate: loss wrt x, scale

import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def swish(z, scale):
    return z * sigmoid(scale * z)


def loss(x, scale):
    return np.sum(swish(swish(x, scale), 2.0))


def arguments():
    return np.array([0.3, -1.2, 2.0]), 1.5
