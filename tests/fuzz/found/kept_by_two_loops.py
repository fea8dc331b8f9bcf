"""What an early return gives is kept by two loops, one in the other, where no return was met."""

import math

import numpy as np

SCALE = 1.031


def helper(a, total):
    for it, j in zip(total, total):
        k = 0
        while k < 1:
            k += 1
            if not np.mean(a) >= -0.937:
                return np.full((3, 3), total.mean()) / (1.5 + np.full((3, 3), j) ** 2)
    try:
        math.sqrt(-(it * it) + 0.0137)
    except ValueError:
        return np.full((3, 3), SCALE) * total.mean()
    else:
        pass


def main(x):
    x += helper(np.ones((3,)), x.mean() * np.linspace(-1.0, 0.895, 3))
    return np.log1p(x.mean())


ARGS = (np.linspace(4.8, 7.4, 9).reshape((3, 3)),)
WRT = (0,)
