"""A name that no iteration bound is kept, and its zero in the second order has no shape to be made of."""

import numpy as np


def main(acc, q=2):
    for m, i in zip(range(1, 9), acc):
        if i < 0.702:
            row = acc.mean() * np.linspace(-1.0, 0.524, 6).reshape((2, 3))
            n_2 = row - np.mean(row, axis=-1, keepdims=True)
    for idx, n_2 in zip(range(1, 9), acc):
        pass
    return n_2**3


ARGS = (np.array([1.252, 1.265]), 1)
WRT = (0,)
