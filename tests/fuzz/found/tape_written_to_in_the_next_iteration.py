"""An iteration wrote to what the one before it had put on a tape."""

import numpy as np


def main(x):
    y = x * 1.0
    for _ in range(3):
        y[0] *= 0.5
        y = np.exp(0.3 * y)
    return np.sum(y * y)


ARGS = (np.array([0.006, -1.476]),)
WRT = (0,)
