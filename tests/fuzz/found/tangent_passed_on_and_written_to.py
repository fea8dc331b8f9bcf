"""A tangent from outside a loop was passed on to its next iteration, which wrote to it."""

import numpy as np

def main(x):
    b = np.sin(x)
    c = x * x
    for k0 in range(3):
        a, c = (c, b * 1.0)
        a *= c
    return np.sum(a)

ARGS = (np.array([0.31, -0.77, 0.52]),)
WRT = (0,)
