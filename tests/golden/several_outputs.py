"""A helper with several results, one of them unused, and an index that has no derivative."""
# differentiate: loss wrt x

import numpy as np


def moments(x):
    mean = np.mean(x)
    spread = np.mean((x - mean) ** 2)
    skew = np.mean((x - mean) ** 3)
    return mean, spread, skew


def loss(x):
    mean, spread, _ = moments(x)
    where = np.argmax(x)
    return mean**2 / spread + x[where]


def arguments():
    return (np.array([0.5, -1.0, 2.5, 0.1]),)
