"""Reverse over reverse: a value that one branch only has gives no zero its shape in the other."""

import numpy as np


def main(t, a, b):
    idx = 0
    while True:
        idx += 1
        if idx:
            break
        a *= a
    if a <= -0.219:
        a += np.sum(t)
        a *= b.prod()
    return np.minimum(np.mean(t), a)


ARGS = (np.array([-1.263, -1.033, 0.624]), -0.14, np.array([-1.438, 0.206]))
WRT = (0, 1, 2)
