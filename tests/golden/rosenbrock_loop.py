"""The same valley element by element: a counted loop that only accumulates."""
# differentiate: rosenbrock wrt x

import numpy as np


def rosenbrock(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    return total


def arguments():
    return (np.array([-1.2, 1.0, 0.5, 0.8]),)
