"""Second order: an adjoint that was read before a part was added to it is saved as it was."""

import numpy as np


def main(c):
    x = np.sin(c)
    return np.inner(np.cos(x.mean()), x / (2.0 + x[0])).sum()


ARGS = (np.array([0.3, 0.8, -1.2]),)
WRT = (0,)
