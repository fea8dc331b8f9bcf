"""A part that is kept is kept as a copy; the product that reads it reads the part, to the last bit."""

import numpy as np


def mix(v):
    z = v[:]
    z[:-1] = z[::-1] @ (np.full((2, 1), z.mean()) - np.array([[-1.156], [1.597592]]))
    return np.clip(np.full((3,), v.mean()), -0.8, 0.9) ** 2


def main(c):
    mix(c)
    return np.sum(mix(c) * c[0])


ARGS = (np.array([-0.859, -0.784]),)
WRT = (0,)
