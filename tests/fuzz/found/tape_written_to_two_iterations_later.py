"""An iteration wrote to what an earlier one had put on a tape, under another name."""

import numpy as np


def main(x):
    y = x * 1.0
    z = x * 2.0
    for _ in range(4):
        z[0] = 0.5
        z, y = y, np.exp(0.3 * y + z)
    y[1] = z[0]
    z[0] = y[1] * 2.0
    return np.sum(y * y) + np.sum(z)


ARGS = (np.array([0.006, -1.476]),)
WRT = (0,)
