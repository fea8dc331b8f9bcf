"""An adjoint was made like another parameter of the same shape, and of another kind."""

import numpy as np


def grown(a, b):
    total = a
    for k in range(2):
        total = b
    return total


def main(x, v):
    x = 1j
    w = x * v
    for k in range(3):
        v, z = (w * 0.5, np.real(w))
        w = grown(z, w)
    out = np.sum(x - v)
    return out.imag


ARGS = (np.array([0.766, -0.632, 0.68, 0.457]), np.array([0.344, 0.327, 0.318, 0.608]))
WRT = (0, 1)
