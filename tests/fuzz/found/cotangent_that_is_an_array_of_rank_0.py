"""`np.where` gives an array of rank 0 for numbers: a helper's way back that is given one added to it in place."""

import numpy as np


def grown(a, b):
    total = a
    for k in range(2):
        total = total + b * k
        b = b + a
    return total + b


def main(x):
    z = x + x
    v = grown(z, x * z)
    w = np.where(v > z, v, z) + np.clip(grown(x, z), 0.1, 10.0) + np.maximum(grown(z, x), x)
    return w * 0.5 + w**3


ARGS = (0.332,)
WRT = (0,)
