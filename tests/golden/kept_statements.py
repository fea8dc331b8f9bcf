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
