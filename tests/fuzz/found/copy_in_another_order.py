"""A copy of a transposed array was in C order: what the callee computed with it rounded differently."""

import numpy as np


def helper1(z):
    z[[0, 0]] = z[[0, 0]]
    return np.exp(-(np.max(((z.mean() * np.linspace(-1.0, 0.64, 9).reshape((3, 3))) @ z))) ** 2)


def main(rt):
    rt[0] += np.sum(rt.T, axis=1)
    x_dot = rt.T
    part = x_dot[-1, -2] * 1.0
    total = 0.5 * helper1(x_dot)
    x_dot[-1, -2] = part * total
    return np.mean(rt)


ARGS = (
    np.array([-1.248, 0.222, -0.384, 0.365, 1.304, 0.947, 1.426, -1.263, -0.067]).reshape((3, 3)),
)
WRT = (0,)
