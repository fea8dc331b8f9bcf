"""A sum of adjoints is regrouped, and so reads a buffer that was added to."""

import numpy as np


def grown(a, b):
    total = a
    return total + b


def main(x, v):
    w, y = x, v
    y = (y > 0.3) + y
    u = x - w
    for _ in range(3):
        w = grown(w, x)
    x = x * 0.5 - u
    return np.sum(w) + np.sum((x - u + x) ** 3) + np.sum((v[::1] + x - y) ** 3)


ARGS = (np.array([1.013, -0.662, 0.501, 0.932]), np.array([-0.285, -0.536, 0.867, 0.472]))
WRT = (0, 1)
