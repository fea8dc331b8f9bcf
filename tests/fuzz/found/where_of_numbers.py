"""The condition of `np.where` may be an array of floats; it only decides."""
import numpy as np


def helper0(i, product):
    return np.where(i, product * i, 1)


def main(x):
    return helper0(x, x * x).mean()


ARGS = (np.array([1.174, -1.185, -0.575]).reshape((3, 1)),)
WRT = (0,)
