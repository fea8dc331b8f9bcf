"""A guard at the top returns at once."""
# differentiate: huber wrt x, delta

import numpy as np


def huber(x, delta):
    norm = np.sqrt(np.sum(x**2))
    if norm <= delta:
        return 0.5 * norm**2
    excess = norm - delta
    return delta * excess + 0.5 * delta**2


def arguments():
    return np.array([1.0, -2.0, 0.5]), 1.0
