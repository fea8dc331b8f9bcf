"""A callee that returns an array from one branch and a number from the other, second order."""
import numpy as np


def recur(u, n):
    if n <= 0:
        return u * np.linspace(1.0, 0.784, 2)
    return 2.0


def main(k):
    return recur(k, 2)


ARGS = (np.array([-0.731, 0.46]),)
WRT = (0,)
