"""An adjoint goes through a call, a branch and a loop as it is, and is added to elsewhere afterwards."""

import numpy as np


def helper(a):
    return a if a[0] > 0 else -a


def main(x, v):
    s, t, r = v[0], v[1], v[2:]
    a = x if x[0] < 100 else np.sin(x)
    b = x
    for _ in range(2):
        if x[0] > 50:
            b = np.sin(b)
    total = np.sum((helper(x) + v) ** 3) + np.sum((a + v) ** 2) + np.sum((b + v) ** 4)
    return s + 2 * t + np.sum(r) + total


ARGS = (np.linspace(0.3, 1.7, 4), np.linspace(-0.5, 1.1, 4))
WRT = (0, 1)
