"""A buffer that is the adjoint of two values is not added to in place."""
import numpy as np


def main(x, y):
    y = y + 0.5
    z = y + (y - np.logaddexp(y, 0.3))
    return x @ (np.ones(2) * z[0, :].max())


ARGS = (np.array([0.538, 0.586]), np.array([[0.461, -0.352], [-0.217, 0.948]]))
WRT = (0, 1)
