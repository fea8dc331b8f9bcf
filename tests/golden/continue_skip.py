"""continue skips the rest of an iteration; which ones depends on the data."""
# differentiate: total wrt x

import numpy as np


def total(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        s = s + np.sqrt(x[i]) * (i + 1)
    return s


def arguments():
    return (np.array([0.5, -1.0, 2.0, -0.3, 1.5]),)
