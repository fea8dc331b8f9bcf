"""A loop in a loop, the inner one shorter each time: energy of all pairs."""
# differentiate: pairs wrt x

import numpy as np


def pairs(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r2 = np.sum((x[i] - x[j]) ** 2) + 0.1
            total += 1 / r2 - 1 / np.sqrt(r2)
    return total


def arguments():
    rng = np.random.default_rng(7)
    return (rng.normal(size=(4, 2)),)
