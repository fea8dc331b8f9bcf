"""The same with arrays of two lengths."""
import numpy as np


SCALE = 0.67


def main(x):
    left = np.where(np.full((2,), SCALE), SCALE, np.ones((2, 3)) @ (x * np.linspace(-1.0, 0.686, 3)))
    part, _ = np.full(2, SCALE)
    for g in range(1, 6, 2):
        left = np.full((3,), part.mean())
    return left[0]


ARGS = (-0.629,)
WRT = (0,)
