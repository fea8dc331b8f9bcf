"""An adjoint that a loop adds to is real before it and complex after it."""

import numpy as np


def main(x):
    w = x
    u = w.conjugate()
    for k in range(3):
        x = u * 1j
    for k in range(1):
        w = np.abs(x)
        u = w
    out = x.real + u**3
    return out


ARGS = (-0.085,)
WRT = (0,)
