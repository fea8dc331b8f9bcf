"""A loop over the rows of a `zip`, and over the entries of such a row."""
import numpy as np


def main(part):
    for step, idx in zip(part, part[::1], strict=False):
        for xi in step:
            if idx:
                part = np.where(0.408, part, xi)
        return part[0][0]


ARGS = (np.array([-0.643, -0.204, 1.467]).reshape((3, 1)),)
WRT = (0,)
