"""What a loop left was written to after it, and was the last entry of a tape of one array each."""

import numpy as np


def main(x):
    y = x * 1.0
    for _ in range(3):
        y = np.exp(0.3 * y)
    y[:-1] += 0.1
    return np.sum(y * y)


ARGS = (np.array([0.006, -1.476]),)
WRT = (0,)
