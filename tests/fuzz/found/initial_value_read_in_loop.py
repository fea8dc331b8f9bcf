"""The adjoint of a loop's initial value was lost where the loop reads the same value otherwise."""
import numpy as np


def main(x):
    y = x
    for i in range(2):
        for j in range(i + 1):
            y = np.sin(y) + x * j
    return y


ARGS = (0.7,)
WRT = (0,)
