"""A name real first and complex later, read in parts: its buffer was real."""

import numpy as np


def grown(a, b):
    for k in range(2):
        total = b
        b = b + a
    return total


def main(x, v):
    z = x
    u = 1j * v
    for k in range(3):
        x = grown(u, v[::-1])
        v = z + x
    out = np.sum(v * 0.5 + v)
    return out.imag


ARGS = (
    np.array([0.46, 0.294, 0.004, -0.074]).reshape(2, 2),
    np.array([0.343, 0.373, 0.372, -0.002]).reshape(2, 2),
)
WRT = (0, 1)
