"""The adjoint before an iteration has the shape of the value that stood there before."""
import numpy as np


def main(x):
    total = x
    for k in range(1, 2):
        total = np.full(1, x)
    return np.mean(total)


ARGS = (1.334,)
WRT = (0,)
