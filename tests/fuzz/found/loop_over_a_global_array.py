"""A loop over an array of the module, alone and in zip and enumerate."""
import numpy as np

TABLE = np.array([0.3, -0.6, 1.1])


def main(x):
    t = 0.0
    for c in TABLE:
        t = t * x[0] + c
    for k, (c, y) in enumerate(zip(TABLE, x, strict=False)):
        t += k * c * y * y
    return t


ARGS = (np.array([0.7, -0.2, 0.4]),)
WRT = (0,)
