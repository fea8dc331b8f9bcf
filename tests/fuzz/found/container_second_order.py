"""The pullback of a gradient with respect to containers takes a cotangent of containers."""
import numpy as np


def main(p, q):
    return np.sum(p["w"] ** 3 * q[0]) + np.tanh(q[1])


ARGS = ({"w": np.array([0.3, -0.7])}, (np.array([1.1, 0.4]), 0.2))
WRT = (0, 1)
