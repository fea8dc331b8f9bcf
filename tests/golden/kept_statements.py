"""assert, raise and print stay where they were and change nothing."""
# differentiate: log_mean wrt x

import numpy as np


def log_mean(x):
    assert x.ndim == 1, "a vector, please"
    if np.any(x <= 0):
        raise ValueError("log_mean needs positive numbers")
    mean = np.mean(np.log(x))
    print("log mean of", x.size, "numbers")
    return np.exp(mean)


def arguments():
    return (np.array([0.5, 2.0, 1.5]),)


# output
"""Derivative of `log_mean` in kept_statements.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source bc55a81a). Change the function, not this file.
"""

import numpy as np


def log_mean_grad(x):
    # forward
    assert x.ndim == 1, "a vector, please"
    if np.any(x <= 0):
        raise ValueError("log_mean needs positive numbers")
    mean = np.mean(np.log(x))
    print("log mean of", x.size, "numbers")
    # backward
    return np.exp(mean) / x.size / x
