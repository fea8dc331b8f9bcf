"""A name that may not be bound is kept in a tuple with others: its zero, twice derived, has no shape."""

import numpy as np


def main(grad, chosen):
    for it in chosen:
        j = 0
        j += 1
        if j:
            break
        for m in [it, it]:
            pass
    for m in grad:
        x = np.sqrt(1.0 + chosen**2)
    ratio = np.full((1, 3), 0.7) / (1.5 + np.full((1, 3), m) ** 2) * np.full((1, 3), x.mean())
    q = np.ones((3, 3)) / ratio
    return q[-2, 1]


ARGS = (np.array([-1.439, 0.698, 0.993]), np.array([-0.542, 0.638]).reshape((1, 2)))
WRT = (0, 1)
