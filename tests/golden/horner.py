"""A polynomial by Horner's scheme, its coefficients run through backwards."""
# differentiate: polynomial wrt c, x

import numpy as np


def polynomial(c, x):
    y = 0.0
    for c_k in c[::-1]:
        y = y * x + c_k
    return y


def arguments():
    return np.array([0.5, -1.0, 2.0, 0.3]), 1.4
