"""A name that held an element of an array holds an array after a branch: the zero of the one is not that of the other."""

import numpy as np


def main(r, z, n):
    for i in z:
        pass
    for _ in z:
        if n > 1:
            pass
        else:
            return 0.5
        i = np.tanh(np.full((1,), r))
        return np.min(i)


ARGS = (-0.499, np.array([-0.26, -0.384]), 2)
WRT = (0, 1)
