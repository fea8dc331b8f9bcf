"""Reverse over reverse: an adjoint that nobody reads does not make the forward half keep a buffer it adds to."""

import numpy as np


def main(size):
    x = np.full(3, size)
    for _ in range(1, 6, 2):
        x = np.hstack(x.mean() * np.linspace(1.0, 0.704, 1))[:, None]
    return x.sum()


ARGS = (-1.148,)
WRT = (0,)
