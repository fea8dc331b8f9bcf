"""A name that the branch that goes on binds is kept on a tape, as a copy: there is none where the loop is left."""

import numpy as np

TABLE = np.array([0.3, 0.6, 1.1])


def main(b, n):
    held = b
    total = 0.0
    for item in b:
        b = np.array([item for i in b])
        if n % 2 == 0:
            return np.prod(b)
        for i in TABLE:
            left = np.clip(TABLE, -0.8, 0.9)
            left += np.abs(b.mean())
        held[0] = np.dot(TABLE, left)
        total = total + held[0] * left[1]
    return total


ARGS = (np.array([1.177, 1.035, -0.256]), 2)
WRT = (0,)
