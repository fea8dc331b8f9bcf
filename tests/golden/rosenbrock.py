"""Overlapping slices of one vector."""
# differentiate: rosenbrock wrt x
# sig: x: f8[n]

import numpy as np


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def arguments():
    return (np.array([-1.2, 1.0, 0.5, 0.8]),)
