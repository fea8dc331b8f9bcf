"""The adjoint of a real part is real: a part's, complex, was cut to it."""

import numpy as np


def main(x):
    x = x * 1j
    u = x[1]
    y = x.real
    out = np.sum(u + y)
    return out.real


ARGS = (np.array([-0.494, 0.934, 0.811, -0.144]).reshape(2, 2),)
WRT = (0,)
