"""An inner function reads a name that a loop rebound after the definition."""
import numpy as np


def main(x, i):
    def least(table):
        return np.min(x)

    for m in x:
        x = 0.5 * i
    return least(3)


ARGS = (np.array([1.131, 0.514, 0.702]), -0.438)
WRT = (0, 1)
