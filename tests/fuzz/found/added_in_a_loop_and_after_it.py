"""Adjoints that are one array after a loop: one is added to in the loop, the other is read there."""

import numpy as np


def main(x, w):
    y, z = np.sin(x), x
    for k in range(3):
        y, z = y + x * k, np.cos(z) + w * y
    total = y + x + z + w
    items = [np.sum(total * k) for k in range(3)]
    return np.sum(total**3) + sum(items)


ARGS = (np.linspace(0.3, 1.7, 4), np.linspace(-0.5, 1.1, 4))
WRT = (0, 1)
