"""A view that one branch alone binds was copied where it is not bound."""

import numpy as np


def main(x):
    y = np.tanh(x)
    if y[0] > 0.69:
        t = y * 1.24
        u = t[::-1]
    z = 1.0 * y
    if y[0] > 0.69:
        z = z + t * u
    return np.sum(np.cos(z))


ARGS = (np.array([-0.897, -1.136, 0.874]),)
WRT = (0,)
