"""After the `try`, `part` was what the loop had left in it: the write after the loop was not seen."""

import numpy as np


def main(a):
    part = np.full((2, 3), 0.3)
    try:
        for _ in range(1, 4):
            part += np.linspace(-1.0, 0.789, 3) * a
        part[:] += part * a
    except ValueError:
        return 0.5
    return part[0][1]


ARGS = (1.246,)
WRT = (0,)
