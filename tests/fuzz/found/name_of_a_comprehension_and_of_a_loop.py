"""A name that a comprehension in a loop keeps to itself is not bound by that loop."""

import numpy as np


def main(h, m):
    while m:
        match m:
            case 1:
                t = [1.0 for i in h]
            case _:
                pass
    for i in h:
        pass
    for e in i:
        pass
    return e


ARGS = (np.array([1.001, -0.24]).reshape((2, 1)), 0)
WRT = (0,)
