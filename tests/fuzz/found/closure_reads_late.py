"""An inner function reads a name as it is when it is called, a default as it was."""
import numpy as np


def main(x, y):
    scale = x
    f = lambda v, s=scale: v * s

    def g(v):
        return f(v) + scale

    scale = y * y
    for k in range(2):
        scale = scale * y
    return g(x)


ARGS = (0.7, 1.3)
WRT = (0, 1)
