"""The same, of what is known to be complex: NumPy refused the addition."""

import numpy as np


def main(x):
    x = x * 1j
    u = x * 0.5
    y = u[::1]
    out = np.sum(y) + np.sum(u.real * x)
    return out.imag


ARGS = (np.array([0.513, -0.003, 0.764, -0.466]),)
WRT = (0,)
