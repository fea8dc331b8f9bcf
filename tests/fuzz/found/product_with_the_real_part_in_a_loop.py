"""The kind of a real part was not known in a loop."""

import numpy as np


def main(x):
    x = x * 1j
    w = x
    for k in range(1):
        for j in range(2):
            u = w.real
            w = w @ u[::1] * u
        w = u
    out = np.sum(u)
    return out


ARGS = (np.array([0.202, 0.585, -0.116, 0.55]).reshape(2, 2),)
WRT = (0,)
