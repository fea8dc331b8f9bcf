"""A callee hands back the memory of an adjoint, and keeps it for the second order."""

import numpy as np


def helper(n, k):
    n[...] -= 0.3
    z = np.ones((1,))
    return z if k < 2 else np.sum(np.where(n > 0.292, n, n.mean()))


def main(x):
    x[-1] *= helper(x, 2)
    return np.mean(x)


ARGS = (np.array([-0.843, -0.076, -0.138]),)
WRT = (0,)
