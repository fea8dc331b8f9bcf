"""Two new arrays with the same items are two arrays for a helper that writes to one of them."""

import numpy as np


def helper(y, x):
    x[1:] = 0.5 * y[0]
    return np.mean(y) * np.sum(x)


def main(q, k):
    q[1] = helper(np.ones((3,)), np.ones((3,))) * q[0]
    a, b = np.zeros(3), np.zeros(3)
    q[0] += helper(a, b) + np.sum(a)
    helper(b, a)
    return q[1] + q[0] ** 2 + np.sum(b) * np.sum(a)


ARGS = (np.array([-0.367, -1.455]), 1)
WRT = (0,)
