"""Keyword and default arguments, of the function and of a helper."""
# differentiate: loss wrt x, rate

import numpy as np


def decay(t, rate=1.0, *, floor=0.0):
    return floor + (1 - floor) * np.exp(-rate * t)


def loss(x, rate=0.5, weight=2.0):
    fast = decay(x, rate=rate, floor=0.1)
    slow = decay(x)
    return weight * np.sum(fast * slow) + np.mean(x, axis=0)


def arguments():
    return np.array([0.2, 1.0, 3.0]), 0.8
