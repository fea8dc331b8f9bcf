"""Forward mode: the tangent of an array that a callee makes of constants is an array of zeros."""
import numpy as np


def helper0(h):
    xs = np.linspace(1.0, 0.718, 2).reshape(2)
    return xs


def main(p, y):
    out, c = helper0(y)
    return out.mean() * y[0] + c


ARGS = ([-0.549, 0.03], np.array([0.527, 0.57]))
WRT = (0, 1)
