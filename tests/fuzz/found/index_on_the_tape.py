"""An array of indices carries no derivative, whatever is known of it."""
import numpy as np


def main(t, total):
    for g in total:
        total = total[np.argsort(total)]
        total = total * np.array([t])
    return total.mean().max()


ARGS = (0.714, np.array([-0.963]))
WRT = (0, 1)
