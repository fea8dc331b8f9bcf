"""A `return` in a loop that is never reached need not return what the others do."""

import numpy as np


def pair(c):
    for row in c:
        if -1.127 >= -0.605:
            return [row, 2.0 * row]
    return [c[0], c[1]]


def main(p):
    x, y = pair(np.full(2, p))
    return x * p + y


ARGS = (-1.144,)
WRT = (0,)
