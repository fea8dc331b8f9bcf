"""A parameter that a loop writes to and the tangent of another are one array before it."""

import numpy as np


def main(x):
    a = x * 1.0
    b = np.sin(x)
    c = x * x
    s = 0.0
    c = c + 0.3 * a
    a[::-1] *= 0.5 * c[0]
    if b[0] > 0.144:
        a *= np.exp(-b * b)
        for k0 in range(2):
            a = np.cos(c) * c[0]
            s = s + np.sum(np.exp(-c * c))
            a += c * 1.0
    else:
        if b[0] > -0.400:
            b[-1] = 0.5 * b[0]
        else:
            a[2] = 0.3
    a, b = b, c * 1.0
    for k0 in range(3):
        b, a = a, np.sin(b)
        if c[0] > -0.409:
            s = s + b[1] * 0.5
            s = s + c[1] * 0.5
        else:
            s = s + b[1] * 0.5
        c *= 0.5 * a * c
    return s + np.sum(a * b) + np.sum(c)


ARGS = (np.array([0.31, -0.77, 0.52]),)
WRT = (0,)
