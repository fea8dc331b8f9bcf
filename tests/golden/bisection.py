"""Bisection, polished by one Newton step that carries the derivative."""
# differentiate: root wrt c

import math


def f(x, c):
    return x * math.exp(x) - c


def root(c, low, high, tolerance):
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if f(middle, c) > 0:
            high = middle
        else:
            low = middle
    x = 0.5 * (low + high)
    return x - f(x, c) / ((1 + x) * math.exp(x))


def arguments():
    return 1.5, 0.0, 2.0, 1e-3


# output
"""Derivative of `root` in bisection.py: reverse mode, with respect to c.

For arguments c: float, low: float, high: float, tolerance: float.

Written by retrograd 0.2.0 (source fe63c408). Change the function, not this file.
"""

import math


def root_grad(c, low, high, tolerance):
    # forward
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if middle * math.exp(middle) - c > 0:
            high = middle
        else:
            low = middle
    x = 0.5 * (low + high)
    # backward
    return 1.0 / ((1 + x) * math.exp(x))
