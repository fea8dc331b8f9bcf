"""A key of a dict is compared with a number, in a branch that never runs."""

import numpy as np


def main(x, acc):
    total = 0.0
    for name, value in acc.items():
        if np.sum(x) > 100.0:
            total = total + (value if name > 1 else value**2)
        else:
            total = total + np.sum(x) * value
    return total


ARGS = (np.array([0.3, 0.5]), {"w": 0.068, "b": 0.078})
WRT = (0, 1)
