"""The real part of an adjoint is added to where it lies: it has a name, though it is short enough to be read in place."""

import numpy as np


def main(x, y, s):
    z = np.zeros(len(x), complex)
    z.real = x
    z.imag = y
    v = np.exp(-x * y)
    return 0.1 * (s + np.sum(v) + np.sum(z).real)


ARGS = (np.array([0.361, 0.643, 0.803]), np.array([1.064, -0.165, -0.701]), 0.7)
WRT = (0, 1, 2)
