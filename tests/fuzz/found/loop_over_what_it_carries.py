"""A loop whose items nobody reads ends with what it iterates over."""

import numpy as np


def main(p, w):
    count, total = 0.0, 0.0
    while True:
        count += 1.0
        total += w * w
        if w <= -0.8:
            break
        for row in p:
            p = row
            w = -3.0 * count
    return 0.3 * total


ARGS = (np.array([[0.437, 0.582], [-0.064, 0.3]]), 1.133)
WRT = (0, 1)
