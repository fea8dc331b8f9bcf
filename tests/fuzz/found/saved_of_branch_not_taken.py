"""Second order: what a branch that was not taken would have saved is not there."""
import numpy as np

SCALE = 1.113


def main(chosen, y):
    if SCALE <= 0.154:
        chosen = np.square(np.full(1, y))
    return chosen.mean()


ARGS = (np.array([-0.064, -1.169]).reshape((2, 1)), -0.257)
WRT = (0, 1)
