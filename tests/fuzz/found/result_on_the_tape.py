"""The result of a `return` in a loop was put on the tape before it was bound."""
import numpy as np

SCALE = 0.934


def main(value):
    x = SCALE
    for _ in range(3):
        if SCALE:
            return 0.5
        else:
            pass
        if x:
            return min(value, np.linspace(1.0, 0.715, 2).max())


ARGS = (0.907,)
WRT = (0,)
