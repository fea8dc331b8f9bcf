"""What a loop left was written to after it, and was the last entry of its tape."""

import numpy as np


def helper0(left, w, d_bar):
    for t, yi in enumerate(d_bar):
        pass
    return [yi]


def main(j):
    j = helper0(j.mean(), j, j) @ np.linspace(-1.0, 1.327, 2).reshape((1, 2))
    for g, i in zip(range(1, 9), j):
        j = np.exp(j.mean() * np.linspace(-1.0, 1.261, 2).reshape((2, 1)))
    j[:-1] += 0.1
    n_2 = np.full((3, 3), j.mean())
    b = n_2[:, 1]
    return b[0]


ARGS = (np.array([0.006, -1.476]),)
WRT = (0,)
